/// Encodes quantised coefficients with Huffman codes (ITU-T T.81, F.1.2).
#pragma once

/// A bit buffer: the last 64 - `room` bits of `bits` are not written yet.
struct BitWriter {
    uint64_t bits;
    int room;
    uint8_t *next;
};

/// Sets the top bits of bytes with all ones, which lose them when one is added. A carry may set the top bits of other
/// bytes, too.
static inline uint64_t bytesOfOnes(uint64_t word) {
    return word & 0x8080808080808080 & ~(word + 0x0101010101010101);
}

/// Writes 64 bits with a zero byte after each 0xFF byte. Rarely needed, so not inlined: the writer stays in registers.
///
/// Returns the next output position.
__attribute__((noinline)) static uint8_t *writeMarked(uint8_t *next, uint64_t word) {
    for (int shift = 56; shift >= 0; shift -= 8) {
        const uint8_t byte = (uint8_t)(word >> shift);
        *next++ = byte;
        if (byte == 0xFF) *next++ = 0;
    }
    return next;
}

static inline void writeWord(struct BitWriter *writer, uint64_t word) {
    if (__builtin_expect(bytesOfOnes(word) != 0, 0)) {
        writer->next = writeMarked(writer->next, word);
    } else {
        const uint64_t swapped = __builtin_bswap64(word);
        memcpy(writer->next, &swapped, 8);
        writer->next += 8;
    }
}

/// - value: of at most `length` bits, 1…60.
static inline void put(struct BitWriter *writer, uint64_t value, int length) {
    writer->room -= length;
    if (__builtin_expect(writer->room < 0, 0)) {
        // Shifts out what is already written, to complete the word.
        writeWord(writer, writer->bits << (writer->room + length) | value >> -writer->room);
        writer->room += 64;
        writer->bits = value;
    } else {
        writer->bits = writer->bits << length | value;
    }
}

/// Writes a value as its category's code and bits; those of a negative value are one less.
static inline void putValue(struct BitWriter *writer, const uint32_t *codes, int32_t value) {
    const int32_t sign = value >> 31;
    const uint32_t magnitude = (uint32_t)((value ^ sign) - sign);
    // The added bit makes 0 valid input.
    const int category = 31 - __builtin_clz(magnitude << 1 | 1);
    const uint32_t code = codes[category];
    put(writer, code >> 5 | ((uint32_t)(value + sign) & ((1u << category) - 1)), (int)(code & 31));
}

/// Fills the last byte with 1 bits and writes the rest.
static inline void finish(struct BitWriter *writer) {
    put(writer, 0x7F, 7);
    for (int bits = 64 - writer->room; bits >= 8; bits -= 8) {
        const uint8_t byte = (uint8_t)(writer->bits >> (bits - 8));
        *writer->next++ = byte;
        if (byte == 0xFF) *writer->next++ = 0;
    }
}
