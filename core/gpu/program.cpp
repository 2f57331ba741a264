#include "core/gpu/program.h"
