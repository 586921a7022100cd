/// Encodes blocks (ITU-T T.81, F.1.2), with `putMany` where it applies.
#pragma once

/// Encodes a block and stores its mean for the component's next block.
static inline void putBlock(
    struct BitWriter *writer, const struct RawmillJPEGTables *tables, const int16_t *block,
    const struct Nonzeros *found, int32_t *mean) {
    putValue(writer, tables->dc, block[0] - *mean);
    *mean = block[0];
    uint64_t left = found->places;
    if (putMany(writer, tables->ac, found)) {
        if (left >> 63 == 0) put(writer, tables->ac[0] >> 5, (int)(tables->ac[0] & 31));
        return;
    }
    int before = 0;
    while (left != 0) {
        const int place = __builtin_ctzll(left);
        left &= left - 1;
        int zeros = place - before - 1;
        before = place;
        for (; __builtin_expect(zeros > 15, 0); zeros -= 16) put(writer, tables->ac[240] >> 5, (int)(tables->ac[240] & 31));
        putValue(writer, tables->ac + 16 * zeros, block[place]);
    }
    if (before < 63) put(writer, tables->ac[0] >> 5, (int)(tables->ac[0] & 31));
}
