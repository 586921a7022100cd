#!/usr/bin/env python3
"""Stores the scene of `camera-files` as other converters do: DNGs with Deflate, floating-point numbers, JPEG XL and
lossy JPEG.

usage: dng_forms.py FOLDER [FORM…]

FOLDER has plain-16.dng and plain-three-colours.dng; each form becomes FOLDER/FORM.dng, with the same facts about its
picture. Needs numpy, cjxl and cjpeg. `Tests/References/numbers.py` writes the same forms in plain Python, sample by
sample, for the tests."""
import concurrent.futures
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

KINDS = {1: "B", 3: "H", 4: "I"}
WHITE = 16_383


class Plain:
    """An uncompressed little-endian 16-bit DNG in one strip."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        start, = struct.unpack_from("<I", self.data, 4)
        count, = struct.unpack_from("<H", self.data, start)
        entries = [struct.unpack_from("<HHI4s", self.data, start + 2 + 12 * i) for i in range(count)]
        self.fields = {tag: (kind, number, value) for tag, kind, number, value in entries}
        self.width, self.height, self.first = (struct.unpack("<I", self.fields[tag][2])[0] for tag in (256, 257, 273))
        samples = struct.unpack("<H", self.fields[277][2][:2])[0]
        size = self.width * self.height * samples
        self.samples = np.frombuffer(self.data, "<u2", size, self.first).reshape(self.height, self.width, samples)

    def write(self, path, pieces, changed):
        """The same file with other chunks; the fields are a type and its values."""
        fields = {tag: field for tag, field in self.fields.items() if tag not in (273, 278, 279, 51111)}
        out = bytearray(self.data[:self.first])
        offsets = []
        for piece in pieces:
            offsets.append(len(out))
            out += piece
        changed = {**changed, 324: (4, offsets), 325: (4, [len(piece) for piece in pieces])}
        for tag, (kind, values) in changed.items():
            packed = struct.pack(f"<{len(values)}{KINDS[kind]}", *values)
            if len(packed) > 4:
                place = struct.pack("<I", len(out))
                out += packed
                packed = place
            fields[tag] = (kind, len(values), packed.ljust(4, b"\0"))
        out[4:8] = struct.pack("<I", len(out))
        out += struct.pack("<H", len(fields))
        for tag, (kind, number, value) in sorted(fields.items()):
            out += struct.pack("<HHI4s", tag, kind, number, value)
        with open(path, "wb") as f:
            f.write(out + b"\0\0\0\0")


def tiles(samples, edge):
    """The tiles of a picture, across, then down; beyond its edges the last samples are repeated."""
    height, width, _ = samples.shape
    padded = np.pad(samples, ((0, -height % edge), (0, -width % edge), (0, 0)), "edge")
    return [padded[y:y + edge, x:x + edge] for y in range(0, height, edge) for x in range(0, width, edge)]


def whole(tile):
    """Applies predictor 34892, which compares samples of one colour, two apart."""
    rows = tile.reshape(len(tile), -1).copy()
    rows[:, 2:] -= tile.reshape(len(tile), -1)[:, :-2]
    return zlib.compress(rows.astype("<u2").tobytes(), 6)


def bits_of(numbers, bits):
    """The bits of floating-point numbers; 24-bit ones have an exponent of 7 bits, from -63, and 16 of mantissa."""
    if bits != 24:
        return numbers.astype({16: "<f2", 32: "<f4"}[bits]).view({16: "<u2", 32: "<u4"}[bits]).astype(np.uint32)
    single = numbers.astype("<f4").view("<u4")
    return np.where(single == 0, 0, ((single >> 23) - 127 + 63 << 16) + (single >> 7 & 0xFFFF)).astype(np.uint32)


def floating(bits):
    """Applies predictor 34894: the bytes of a row by their place in a number, each minus the one two before."""
    def compressed(tile):
        stored = bits_of(tile.reshape(len(tile), -1), bits)
        planes = np.concatenate([stored >> shift & 255 for shift in range(bits - 8, -1, -8)], axis=1).astype(np.uint8)
        planes[:, 2:] -= planes.copy()[:, :-2]
        return zlib.compress(planes.tobytes(), 6)
    return compressed


def plain_floating(tile):
    return bits_of(tile.reshape(len(tile), -1), 32).astype("<u4").tobytes()


def program(arguments, data, endings):
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, "tile." + ending) for ending in endings)
        with open(before, "wb") as f:
            f.write(data)
        command = [{"IN": before, "OUT": after}.get(word, word) for word in arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(after, "rb") as f:
            return f.read()


def netpbm(tile, largest):
    height, width, samples = tile.shape
    head = b"P%d\n%d %d\n%d\n" % (6 if samples == 3 else 5, width, height, largest)
    return head + tile.astype(">u2" if largest > 255 else "u1").tobytes()


def jpeg_xl(*options):
    def compressed(tile):
        return program(["cjxl", "IN", "OUT", "--container=0", *options], netpbm(tile, 65_535), ("ppm", "jxl"))
    return compressed


def jpeg(tile):
    kind = ["-rgb"] if tile.shape[2] == 3 else ["-grayscale"]
    words = ["cjpeg", *kind, "-quality", "90", "-sample", "1x1", "-outfile", "OUT", "IN"]
    return program(words, netpbm(tile, 255), ("pnm", "jpg"))


def fielded(samples):
    """Interleaves rows and columns by twos: each quarter of a tile has one colour (RowInterleaveFactor,
    ColumnInterleaveFactor)."""
    rows = np.concatenate([samples[0::2], samples[1::2]])
    return np.concatenate([rows[:, 0::2], rows[:, 1::2]], axis=1)


def meanings():
    """Numbers for the samples of a lossy JPEG. Noise around black is preserved."""
    return [round(256 + (WHITE - 256) * (code / 255) ** 2.2) for code in range(256)]


def coded(samples):
    light = np.clip((samples.astype(np.float32) - 256) / (WHITE - 256), 0, 1)
    return np.rint(255 * light ** (1 / 2.2)).astype(np.uint16)


BY_DEFLATE = {259: (3, [8])}
BY_JPEG_XL = {259: (3, [52546]), 258: (3, [16])}
IN_FIELDS = {50975: (3, [2]), 52547: (3, [2])}


def numbers(bits, samples=1):
    return {258: (3, [bits] * samples), 339: (3, [3] * samples), 317: (3, [34894])}


def by_jpeg(samples):
    return {259: (3, [34892]), 258: (3, [8] * samples), 50712: (3, meanings())}


# Source, operation on all samples, edge of a tile, operation on a tile, and the fields that describe them.
FORMS = {
    "deflate-16": ("plain-16", None, 256, whole, {**BY_DEFLATE, 317: (3, [34892])}),
    "deflate-floating-16": ("plain-16", None, 256, floating(16), {**BY_DEFLATE, **numbers(16)}),
    "deflate-floating-24": ("plain-16", None, 256, floating(24), {**BY_DEFLATE, **numbers(24)}),
    "deflate-floating-32": ("plain-16", None, 256, floating(32), {**BY_DEFLATE, **numbers(32)}),
    "floating-32": ("plain-16", None, 256, plain_floating, {**numbers(32), 317: (3, [1])}),
    "jxl-lossless": ("plain-16", fielded, 504, jpeg_xl("-d", "0"), {**BY_JPEG_XL, **IN_FIELDS}),
    "jxl-lossless-fast": (
        "plain-16", fielded, 504, jpeg_xl("-d", "0", "--faster_decoding=4"), {**BY_JPEG_XL, **IN_FIELDS}),
    "jxl-lossy": ("plain-16", fielded, 504, jpeg_xl("-d", "0.1"), {**BY_JPEG_XL, **IN_FIELDS}),
    "lossy-jpeg": ("plain-16", coded, 256, jpeg, by_jpeg(1)),
    "lossy-jpeg-three-colours": ("plain-three-colours", coded, 256, jpeg, by_jpeg(3)),
}


def make(folder, name):
    source, change, edge, compress, fields = FORMS[name]
    plain = Plain(os.path.join(folder, source + ".dng"))
    samples = plain.samples if change is None else change(plain.samples)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pieces = list(pool.map(compress, tiles(samples, edge)))
    plain.write(os.path.join(folder, name + ".dng"), pieces, {322: (4, [edge]), 323: (4, [edge]), **fields})


def main():
    folder, *wanted = sys.argv[1:]
    for name in wanted or FORMS:
        make(folder, name)


if __name__ == "__main__":
    main()
