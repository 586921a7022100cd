#include "CCubic.h"
