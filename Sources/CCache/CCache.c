#include "CCache.h"
