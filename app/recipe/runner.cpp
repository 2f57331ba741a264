#include "app/recipe/runner.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/study/changes.h"
#include "core/gpu/device.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

constexpr std::size_t remembered_outcomes = 8;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string running_on(const study::Run& run) {
  switch (run.device) {
    case study::DeviceChoice::ref:
      return "reference in double, 1 thread";
    case study::DeviceChoice::gpu: {
      const gpu::DeviceInfo& info = run.gpu().info();
      return "gpu: " + info.renderer + (info.software ? " (software)" : "");
    }
    case study::DeviceChoice::cpu:
      break;
  }
  const int threads = omp_get_max_threads();
  return "cpu, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace

parameter::Settings Outcome::lasting_settings() const {
  return result.keeps.empty() ? settings : study::changed(settings, result.keeps);
}

Phrase remark_of(const Outcome& outcome) {
  const std::string& remark = outcome.result.remark;
  // English of the program's own: a key of the tables, or of a form that they know.
  return remark.empty() ? Phrase() : words("{}: {}", outcome.study->id, foreign(remark));
}

Outcome compute_now(const study::Study& study, const parameter::Settings& settings, const study::Run& run) {
  Outcome outcome;
  outcome.study = &study;
  outcome.settings = settings;
  outcome.device = run.device;
  const double start = now();
  try {
    outcome.device_name = running_on(run);
    outcome.result = study.compute(settings, run);
  } catch (const Cancelled&) {
  } catch (const std::exception& error) {
    outcome.error = complaint_of(error);
  }
  outcome.seconds = now() - start;
  return outcome;
}

Runner::Runner(std::function<void()> on_ready)
    : on_ready_(std::move(on_ready)), worker_([this](std::stop_token stop) { work(stop); }) {}

Runner::~Runner() {
  worker_.request_stop();
  const std::lock_guard lock(mutex_);
  running_.request_stop();
}

void Runner::request(const study::Study& study, const parameter::Settings& settings,
                     study::DeviceChoice device) {
  const auto asks = [&](const auto& other) {
    return other.study == &study && other.device == device && other.settings == settings;
  };
  {
    const std::lock_guard lock(mutex_);
    if (newest_ && asks(*newest_)) return;
    newest_ = Request{++generation_, &study, settings, device};
    go_on();
    requested_at_ = now();
    rested_ = progress_ = 0;
    pace_ = {};
    running_.request_stop();

    const auto known = std::ranges::find_if(remembered_, [&](const auto& outcome) { return asks(*outcome); });
    if (known == remembered_.end()) {
      pending_ = newest_;
      wake_.notify_one();
      return;
    }
    pending_.reset();
    latest_ = *known;
    finished_ = generation_;
    std::rotate(remembered_.begin(), known, known + 1);  // the one just used is forgotten last
  }
  if (on_ready_) on_ready_();
}

void Runner::cancel() {
  const std::lock_guard lock(mutex_);
  if (finished_ == generation_) return;
  go_on();
  running_.request_stop();
  pending_.reset();
  finished_ = ++generation_;  // what still comes of it is of an older one
}

void Runner::pause(bool on) {
  const std::lock_guard lock(mutex_);
  if (!on) return go_on();
  if (finished_ == generation_ || paused_) return;
  paused_ = true;
  paused_at_ = now();
}

void Runner::go_on() {
  if (!paused_) return;
  rested_ += now() - paused_at_;
  paused_ = false;
  resumed_.notify_all();
}

void Runner::rest(const std::stop_token& stop) {
  if (!paused_) return;
  std::unique_lock lock(mutex_);
  resumed_.wait(lock, stop, [&] { return !paused_; });
}

void Runner::forget() {
  const std::lock_guard lock(mutex_);
  newest_.reset();
  remembered_.clear();
}

std::shared_ptr<const Outcome> Runner::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

bool Runner::busy() const {
  const std::lock_guard lock(mutex_);
  return finished_ != generation_;
}

double Runner::busy_seconds() const {
  const std::lock_guard lock(mutex_);
  return finished_ != generation_ ? worked_seconds() : 0;
}

double Runner::worked_seconds() const {
  return (paused_ ? paused_at_ : now()) - requested_at_ - rested_;
}

double Runner::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::optional<double> Runner::seconds_left() const {
  const std::lock_guard lock(mutex_);
  return finished_ != generation_ ? pace_.left(worked_seconds()) : std::nullopt;
}

void Runner::deliver(Outcome outcome) {
  outcome.digest = figure::digest(outcome.result.figure);
  {
    const std::lock_guard lock(mutex_);
    if (outcome.generation != generation_) return;
    if (!outcome.partial) go_on();  // it was done before it could rest
    outcome.seconds = std::max(0.0, outcome.seconds - (rested_ - rested_before_));
    auto shared = std::make_shared<const Outcome>(std::move(outcome));
    latest_ = shared;
    if (!shared->partial) {
      finished_ = generation_;
      if (shared->error.empty()) remembered_.insert(remembered_.begin(), std::move(shared));
      if (remembered_.size() > remembered_outcomes) remembered_.pop_back();
    }
  }
  if (on_ready_) on_ready_();
}

void Runner::advance(std::uint64_t generation, double fraction) {
  {
    const std::lock_guard lock(mutex_);
    if (generation != generation_) return;
    pace_.reached(fraction, worked_seconds());
    // A hundredth at a time: the interface is not woken for steps that nobody sees.
    if (fraction - progress_ < 0.01) return;
    progress_ = fraction;
  }
  if (on_ready_) on_ready_();
}

void Runner::work(std::stop_token stop) {
  for (;;) {
    Request request;
    study::Run run;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [&] { return pending_.has_value(); })) return;
      request = *std::exchange(pending_, std::nullopt);
      running_ = std::stop_source();
      if (paused_) {
        rested_ += now() - paused_at_;
        paused_at_ = now();
      }
      rested_before_ = rested_;
      if (stop.stop_requested()) return;
      run.stop = running_.get_token();
    }
    run.device = request.device;
    run.on_check = [this, stop_it = run.stop] { rest(stop_it); };
    run.on_progress = [&](double fraction) { advance(request.generation, fraction); };
    run.on_partial = [&, start = now()](const study::StudyResult& result) {
      deliver({request.generation,
               request.study,
               request.settings,
               request.device,
               running_on(run),
               result,
               {},
               now() - start,
               true,
               {},
               {}});
    };
    Outcome outcome = compute_now(*request.study, request.settings, run);
    if (run.cancelled()) continue;
    outcome.generation = request.generation;
    deliver(std::move(outcome));
  }
}

}  // namespace orrery::recipe
