#include "Wire.h"
