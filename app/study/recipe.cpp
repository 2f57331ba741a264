#include "app/study/recipe.h"
