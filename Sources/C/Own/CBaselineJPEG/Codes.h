/// Quantised coefficients to Huffman codes (ITU-T T.81, F.1.2).
#pragma once

/// Where the next bits go: the last 64 - `room` bits of `bits` are not written yet.
struct BitWriter {
    uint64_t bits;
    int room;
    uint8_t *next;
};

/// Writes 64 bits, and a zero byte after each byte that could be taken for a marker.
static inline void writeWord(struct BitWriter *writer, uint64_t word) {
    // A byte of ones is the only one whose top bit is set before one is added, and not after it. A carry may only say so wrongly.
    if (word & 0x8080808080808080 & ~(word + 0x0101010101010101)) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            const uint8_t byte = (uint8_t)(word >> shift);
            *writer->next++ = byte;
            if (byte == 0xFF) *writer->next++ = 0;
        }
    } else {
        const uint64_t swapped = __builtin_bswap64(word);
        memcpy(writer->next, &swapped, 8);
        writer->next += 8;
    }
}

/// - value: of at most `length` bits, 1…31.
static inline void put(struct BitWriter *writer, uint32_t value, int length) {
    writer->room -= length;
    if (__builtin_expect(writer->room < 0, 0)) {
        // What is written already is shifted out before the next word is whole.
        writeWord(writer, writer->bits << (writer->room + length) | (uint64_t)value >> -writer->room);
        writer->room += 64;
        writer->bits = value;
    } else {
        writer->bits = writer->bits << length | value;
    }
}

/// A value as its category's code and bits: those of a negative one less 1.
static inline void putValue(struct BitWriter *writer, const uint32_t *codes, int32_t value) {
    const int32_t sign = value >> 31;
    const uint32_t magnitude = (uint32_t)((value ^ sign) - sign);
    // One more bit, so that there is one in 0, too.
    const int category = 31 - __builtin_clz(magnitude << 1 | 1);
    const uint32_t code = codes[category];
    put(writer, code >> 5 | ((uint32_t)(value + sign) & ((1u << category) - 1)), (int)(code & 31));
}

/// Codes a block and remembers its mean for the next one of its component.
static inline void putBlock(
    struct BitWriter *writer, const struct RawmillJPEGTables *tables, const int16_t *block, int32_t *mean) {
    putValue(writer, tables->dc, block[0] - *mean);
    *mean = block[0];
    uint64_t left = nonzeros(block) & ~(uint64_t)1;
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

/// Fills the last byte with 1 bits, and writes what was not written yet.
static inline void finish(struct BitWriter *writer) {
    put(writer, 0x7F, 7);
    for (int bits = 64 - writer->room; bits >= 8; bits -= 8) {
        const uint8_t byte = (uint8_t)(writer->bits >> (bits - 8));
        *writer->next++ = byte;
        if (byte == 0xFF) *writer->next++ = 0;
    }
}
