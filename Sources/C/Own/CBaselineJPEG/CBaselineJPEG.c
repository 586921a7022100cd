#include "CBaselineJPEG.h"

/// Prepares divisors like libjpeg-turbo (after Agner Fog, "Optimizing subroutines in assembly language", division by a
/// constant): the quotient is exact for all 16-bit magnitudes, rounded half up.
void rawmill_jpeg_set_divisor(struct RawmillJPEGTables *tables, size_t index, uint32_t divisor) {
    uint32_t shift = 16;
    for (uint32_t rest = divisor; rest > 1; rest >>= 1) shift++;
    uint32_t reciprocal = (uint32_t)(((uint64_t)1 << shift) / divisor);
    const uint32_t remainder = (uint32_t)(((uint64_t)1 << shift) % divisor);
    uint32_t correction = divisor / 2;
    if (remainder == 0) {
        reciprocal >>= 1;
        shift--;
    } else if (remainder <= divisor / 2) {
        correction++;
    } else {
        reciprocal++;
    }
    tables->reciprocals[index] = (uint16_t)reciprocal;
    tables->corrections[index] = (uint16_t)correction;
    tables->scales[index] = (uint16_t)(1u << (32 - shift));
}

void rawmill_jpeg_set_code(struct RawmillJPEGTables *tables, bool isMean, uint8_t symbol, uint32_t code, uint32_t length) {
    const uint32_t category = symbol & 15, entry = code << category << 5 | (length + category);
    if (isMean)
        tables->dc[category] = entry;
    else
        tables->ac[symbol] = entry;
}

bool rawmill_jpeg_avx2_is_built_in(void) {
#if defined(__AVX2__) && defined(__BMI2__) && defined(__LZCNT__)
    return true;
#else
    return false;
#endif
}

bool rawmill_jpeg_avx512_is_built_in(void) {
#if defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return rawmill_jpeg_avx2_is_built_in();
#else
    return false;
#endif
}

bool rawmill_jpeg_avx2_is_supported(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("lzcnt");
#else
    return false;
#endif
}

bool rawmill_jpeg_avx512_is_supported(void) {
#if defined(__x86_64__)
    return rawmill_jpeg_avx2_is_supported() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}
