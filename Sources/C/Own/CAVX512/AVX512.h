/// Compiles the functions between `RAWMILL_AVX512_BEGIN` and `RAWMILL_AVX512_END` for x86-64-v4, regardless of the
/// file's target.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#define RAWMILL_AVX512_BEGIN \
    _Pragma("clang attribute push(__attribute__((target(\"avx512f,avx512bw,avx512cd,avx512dq,avx512vl\"))), \
            apply_to = function)")
#define RAWMILL_AVX512_END _Pragma("clang attribute pop")
#endif
