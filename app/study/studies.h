// The studies by name, for the registry and for the files that define them.
#pragma once

#include "app/study/study.h"

namespace orrery::study {

extern const Study rope_rotation;
extern const Study rope_angles;
extern const Study rope_wavelengths;
extern const Study rope_relative;
extern const Study rope_cache_offset;
extern const Study rope_layout;
extern const Study rope_precision;
extern const Study rope_scaling;
extern const Study extrapolation_decay;
extern const Study extrapolation_base;
extern const Study extrapolation_coverage;
extern const Study extrapolation_scores;
extern const Study extrapolation_entropy;
extern const Study rope_model;
extern const Study rope_identify;
extern const Study position_sinusoidal;
extern const Study position_dot_product;
extern const Study position_shift;
extern const Study position_sum;
extern const Study position_alibi;
extern const Study position_t5;
extern const Study position_bias_compare;
extern const Study position_compare;
extern const Study norm_compare;
extern const Study attention_scores;
extern const Study activation_functions;
extern const Study numerics_twins;
extern const Study figure_marks;

}  // namespace orrery::study
