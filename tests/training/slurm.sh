#!/bin/bash
# slurm.sh PROGRAM: a sweep as a job array on a cluster of one machine that is set up here, with a munge, a slurmctld and a slurmd
# of Debian's slurm-wlm; a task is killed and requeued, and the table is that of a sweep that nothing disturbed. 77: it cannot be set
# up here (not root, no slurm-wlm).
set -u
program=$(readlink -f "$1")
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
for needed in munged slurmctld slurmd sbatch scontrol squeue sinfo; do
  PATH=$PATH:/usr/sbin command -v $needed >/dev/null || skip "no $needed (apt install slurm-wlm)"
done
PATH=$PATH:/usr/sbin
work=$(mktemp -d /tmp/orrery-slurm-XXXXXX)
host=$(hostname -s)
getent hosts "$host" >/dev/null || skip "the host's name $host is not known (/etc/hosts)"
mount | grep -q /sys/fs/cgroup || skip "/sys/fs/cgroup is not mounted"
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
  sleep 0.5
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null; done
  rm -rf "$work"
}
trap cleanup EXIT
fail() {
  echo "FAILED: $1"
  tail -n 5 "$work"/*.log "$work"/sweep/slurm-*.log 2>/dev/null
  exit 1
}
chmod 755 "$work"
mkdir -p "$work/munge" "$work/state" "$work/spool"
chmod 711 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --seed-file="$work/munge/seed" --log-file="$work/munge/log" >"$work/munged.log" 2>&1 &
pids+=($!)
free_port() { /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }
cat >"$work/slurm.conf" <<CONF
ClusterName=orrery
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
MpiDefault=none
SchedulerParameters=sched_min_interval=100000
KillWait=5
MinJobAge=3600
NodeName=$host CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
sleep 1
slurmctld -D -f "$SLURM_CONF" >"$work/slurmctld.out.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$work/slurmd.out.log" 2>&1 &
pids+=($!)
for _ in $(seq 60); do
  sinfo -h -o %T 2>/dev/null | grep -q idle && break
  kill -0 "${pids[2]}" 2>/dev/null || skip "slurmd does not start here: $(tail -n 1 "$work/slurmd.log" 2>/dev/null)"
  sleep 1
done
sinfo -h -o %T | grep -q idle || skip "the cluster does not come up here: $(sinfo -h)"

cat >"$work/grid.toml" <<GRID
orrery = 1
[task]
kind = "markov"
sequences = 4
[model]
width = 16
heads = 2
hidden = 32
[training]
steps = 2000
[evaluation]
lengths = [16, 32]
sequences = 4
[grid]
lengths = [8, 16]
seeds = [1, 2]
[[variant]]
name = "rope"
[variant.model]
positions = "rope"
[[variant]]
name = "none"
[variant.model]
positions = "none"
GRID
cd "$work"
answer=$("$program" sweep grid.toml -o sweep --submit slurm --jobs 2 --slurm-option=--time=10 --json) || fail "not submitted: $answer"
job=$(echo "$answer" | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["job"])')
echo "job $job"
# The first task that runs is killed as a machine that fails would kill it, and requeued.
for _ in $(seq 100); do
  first=$(squeue -h -j "$job" -t R -o %A | head -n 1)
  [ -n "$first" ] && break
  sleep 0.2
done
[ -n "${first:-}" ] || fail "no task runs"
echo "requeued: $(squeue -h -j "$job" -t R -o %i | head -n 1)"
scontrol requeue "$first" || fail "not requeued"
for _ in $(seq 300); do
  [ -z "$(squeue -h -j "$job" -t PD,R,CG,CF -o %i)" ] && break
  sleep 1
done
[ -z "$(squeue -h -j "$job" -t PD,R,CG,CF -o %i)" ] || fail "the job does not end: $(squeue -h)"
"$program" sweep grid.toml -o sweep --collect >/dev/null || fail "not collected"
"$program" sweep grid.toml -o sweep --list --json | grep -q '"done": false' && fail "cells are left"
OMP_NUM_THREADS=1 "$program" sweep grid.toml -o alone >/dev/null || fail "the undisturbed sweep"
"$program" sweep grid.toml -o alone --collect >/dev/null || fail "the undisturbed table"
cmp sweep/table.csv alone/table.csv || fail "the tables differ"
"$program" sweep grid.toml -o sweep --submit slurm | grep -q "all 8 cells" || fail "submitted again with nothing to do"
echo "8 cells by Slurm, one of them requeued: the same table"
