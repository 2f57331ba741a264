#include "core/tensor/format.h"
