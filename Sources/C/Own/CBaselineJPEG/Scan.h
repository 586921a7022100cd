/// Encodes a picture's blocks in coding order, a few units of a row at a time, so that the coefficients stay in the
/// first-level cache.
#pragma once

enum {
    /// Coded units at a time, and blocks of a component's row in them.
    CHUNK = 16,
    CHUNK_BLOCKS = 2 * CHUNK,
    /// Maximum bytes of a block, with every byte escaped.
    MAX_BLOCK_BYTES = 2 * (22 + 63 * 26 + 7) / 8,
    MAX_UNIT_BYTES = 6 * MAX_BLOCK_BYTES + 24,
};

/// By component and row of blocks in a unit.
struct Chunk {
    _Alignas(64) int16_t coefficients[3][2][CHUNK_BLOCKS * 64];
    struct Nonzeros nonzeros[3][2][CHUNK_BLOCKS];
    _Alignas(64) uint8_t padded[8][CHUNK_BLOCKS * 8];
};

/// Transforms a chunk's blocks of one row. Blocks beyond the picture are zero except for the mean, which repeats the
/// previous block's (like libjpeg).
static void transformRow(
    const struct RawmillJPEGComponent *component, size_t row, size_t first, size_t wanted, const struct Zigzag *zigzag,
    struct Chunk *chunk, int16_t *coefficients) {
    const size_t count = wanted < component->columns - first ? wanted : component->columns - first;
    const size_t width = (count + BLOCKS - 1) / BLOCKS * BLOCKS * 8, x = 8 * first;
    const uint8_t *rows[8];
    for (size_t i = 0; i < 8; i++) {
        const size_t y = 8 * row + i, last = component->height - 1;
        rows[i] = component->samples + (ptrdiff_t)(y < last ? y : last) * component->stride + x;
    }
    // Prefetches the next chunk's samples.
    for (int i = 0; i < 8; i++)
        for (size_t ahead = 0; ahead < width; ahead += 64) __builtin_prefetch(rows[i] + width + ahead);
    if (x + width > component->width) {
        const size_t there = component->width - x < width ? component->width - x : width;
        for (int i = 0; i < 8; i++) {
            memcpy(chunk->padded[i], rows[i], there);
            memset(chunk->padded[i] + there, rows[i][there - 1], width - there);
            rows[i] = chunk->padded[i];
        }
    }
    for (size_t block = 0; block < count; block += BLOCKS)
        transformBlocks(rows, 8 * block, component->tables, zigzag, coefficients + 64 * block);
    for (size_t block = count; block < wanted; block++) {
        memset(coefficients + 64 * block, 0, 128);
        coefficients[64 * block] = coefficients[64 * block - 64];
    }
}

/// Blocks of a row beyond the picture: zero except for the mean of their unit's last block in the row above.
static void repeatMeans(const int16_t *above, size_t across, size_t units, int16_t *coefficients) {
    memset(coefficients, 0, units * across * 128);
    for (size_t block = 0; block < units * across; block++)
        coefficients[64 * block] = above[64 * (block / across * across + across - 1)];
}

static size_t codeScan(const struct RawmillJPEGScan *scan, uint8_t *output, size_t capacity) {
    struct Zigzag zigzag;
    makeZigzag(&zigzag);
    struct Chunk chunk;
    struct BitWriter writer = {0, 64, output};
    int32_t means[3] = {0, 0, 0};
    for (size_t row = 0; row < scan->unitRows; row++) {
        for (size_t first = 0; first < scan->unitColumns; first += CHUNK) {
            const size_t units = scan->unitColumns - first < CHUNK ? scan->unitColumns - first : CHUNK;
            for (int c = 0; c < 3; c++) {
                const struct RawmillJPEGComponent *component = &scan->components[c];
                for (size_t v = 0; v < component->down; v++) {
                    const size_t blockRow = row * component->down + v, across = component->across;
                    if (blockRow < component->rows)
                        transformRow(
                            component, blockRow, first * across, units * across, &zigzag, &chunk, chunk.coefficients[c][v]);
                    else
                        repeatMeans(chunk.coefficients[c][v - 1], across, units, chunk.coefficients[c][v]);
                    for (size_t block = 0; block < units * across; block++)
                        look(chunk.coefficients[c][v] + 64 * block, &chunk.nonzeros[c][v][block]);
                }
            }
            for (size_t unit = 0; unit < units; unit++) {
                if (capacity - (size_t)(writer.next - output) < MAX_UNIT_BYTES) return 0;
                for (int c = 0; c < 3; c++) {
                    const struct RawmillJPEGComponent *component = &scan->components[c];
                    const size_t across = component->across;
                    for (size_t v = 0; v < component->down; v++)
                        for (size_t block = unit * across; block < (unit + 1) * across; block++)
                            putBlock(
                                &writer, component->tables, chunk.coefficients[c][v] + 64 * block,
                                &chunk.nonzeros[c][v][block], &means[c]);
                }
            }
        }
    }
    finish(&writer);
    return (size_t)(writer.next - output);
}
