#include "core/tensor/error.h"
