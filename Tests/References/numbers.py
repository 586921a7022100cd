#!/usr/bin/env python3
"""Writes a DNG of floating-point numbers or integers: plain, deflated with one of TIFF's predictors, as JPEG XL by
cjxl, or as JPEG by cjpeg (Adobe, "Digital Negative Specification 1.7", chapters 2 and 5; "TIFF Technical Note 3",
2005), in plain Python, and prints its numbers, one row per line; for lossy forms, the numbers read by djxl and djpeg.
Rawmill's tests compare their results with them."""
import argparse
import math
import random
import struct
import subprocess
import tempfile
import zlib

MATRIX = [9020, -2890, -715, -4535, 12436, 2348, -934, 1919, 7086]


def float24(value):
    """Encodes 1 bit of sign, 7 of exponent (bias 63) and 16 of mantissa. Returns the bits and the encoded number."""
    if value <= 0:
        return 0, 0.0
    mantissa, exponent = math.frexp(value)
    stored = exponent - 1 + 63
    whole = round(mantissa * (1 << 17))
    if whole == 1 << 17:
        whole, stored = 1 << 16, stored + 1
    if stored <= 0:
        whole = round(value * 2.0 ** (62 + 16))
        return whole, whole * 2.0 ** -(62 + 16)
    return stored << 16 | whole & 0xFFFF, whole * 2.0 ** (stored - 63 - 16)


def stored(value, bits, is_float):
    """The bits of a number, and the encoded number."""
    if not is_float:
        return int(value), float(int(value))
    if bits == 24:
        return float24(value)
    form = {16: ("e", "H"), 32: ("f", "I")}[bits]
    raw = struct.pack("<" + form[0], value)
    return struct.unpack("<" + form[1], raw)[0], struct.unpack("<" + form[0], raw)[0]


def whole_bytes(row, bits, order):
    """A row of samples of whole bytes, in the file's byte order."""
    return b"".join(number.to_bytes(bits // 8, "little" if order == "II" else "big") for number in row)


def packed(row, bits):
    """A row of samples of other widths, from the highest bit."""
    length = (len(row) * bits + 7) // 8
    number = 0
    for sample in row:
        number = number << bits | sample
    return (number << length * 8 - len(row) * bits).to_bytes(length, "big")


def predicted(row, bits, order, predictor, samples):
    """The bytes of a row before Deflate."""
    step = samples * {2: 1, 3: 1, 34892: 2, 34893: 4, 34894: 2, 34895: 4}.get(predictor, 1)
    if predictor == 1:
        return whole_bytes(row, bits, order) if bits in (8, 16, 24, 32) else packed(row, bits)
    if predictor in (2, 34892, 34893):
        mask = (1 << bits) - 1
        return whole_bytes([(v - (row[i - step] if i >= step else 0)) & mask for i, v in enumerate(row)], bits, order)
    count = bits // 8
    planes = bytes(v >> 8 * (count - 1 - place) & 255 for place in range(count) for v in row)
    return bytes((v - (planes[i - step] if i >= step else 0)) & 255 for i, v in enumerate(planes))


def program(arguments, data, suffixes):
    """Another program's conversion of a file."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = folder + "/before." + suffixes[0], folder + "/after." + suffixes[1]
        with open(before, "wb") as stream:
            stream.write(data)
        command = [before if word == "IN" else after if word == "OUT" else word for word in arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(after, "rb") as stream:
            return stream.read()


def picture(tile, bits, samples, is_float):
    """A tile as a Netpbm picture. Floating-point rows go from bottom to top."""
    width, height = len(tile[0]) // samples, len(tile)
    if is_float:
        head = b"%s\n%d %d\n-1.0\n" % (b"PF" if samples == 3 else b"Pf", width, height)
        return head + b"".join(struct.pack("<%dI" % len(row), *row) for row in reversed(tile))
    head = b"%s\n%d %d\n%d\n" % (b"P6" if samples == 3 else b"P5", width, height, (1 << bits) - 1)
    return head + b"".join(whole_bytes(row, bits, "MM") for row in tile)


def numbers(data, samples, height, is_float):
    """The rows of such a picture."""
    fields = data.split(b"\n", 3)
    count = len(fields[3]) // height
    rows = [fields[3][y * count:(y + 1) * count] for y in range(height)]
    if is_float:
        return [struct.unpack("<%df" % (count // 4), row) for row in reversed(rows)]
    if int(fields[2]) < 256:
        return [tuple(row) for row in rows]
    return [struct.unpack(">%dH" % (count // 2), row) for row in rows]


def compressed(tile, args, samples):
    """A tile's bytes; and the values read by another program, for lossy tiles."""
    if args.compression in (1, 8):
        data = b"".join(predicted(row, args.bits, args.order, args.predictor, samples) for row in tile)
        return zlib.compress(data, 6) if args.compression == 8 else data, None
    source = picture(tile, args.bits, samples, args.float)
    if args.compression == 52546:
        name = "pfm" if args.float else "ppm" if samples == 3 else "pgm"
        piece = program(["cjxl", "IN", "OUT", "-d", str(args.distance), "--container=0"], source, (name, "jxl"))
        if args.distance == 0:
            return piece, None
        return piece, numbers(program(["djxl", "IN", "OUT"], piece, ("jxl", name)), samples, len(tile), args.float)
    kind = ["-rgb"] if samples == 3 else ["-grayscale"]
    piece = program(["cjpeg"] + (kind if samples == 1 else []) + ["-quality", "90", "-outfile", "OUT", "IN"], source, ("pnm", "jpg"))
    return piece, numbers(program(["djpeg", "-pnm", "-outfile", "OUT", "IN"], piece, ("jpg", "pnm")), samples, len(tile), False)


def chunks(rows, values, args, samples):
    """The bytes of each chunk. Values read by another program replace the originals."""
    width, height = len(rows[0]) // samples, len(rows)
    if args.tile:
        across, down = (int(v) for v in args.tile.split("x"))
        rects = [(x, y, across, down) for y in range(0, height, down) for x in range(0, width, across)]
    else:
        rects = [(0, y, width, min(args.rows, height - y)) for y in range(0, height, args.rows)]
    for x, y, w, h in rects:
        tile = []
        for line in range(y, y + h):
            row = rows[min(line, height - 1)][x * samples:(x + w) * samples]
            tile.append(row + row[-samples:] * (w - len(row) // samples))
        piece, judged = compressed(tile, args, samples)
        for line in range(y, min(y + h, height)) if judged else ():
            count = min(w, width - x) * samples
            values[line][x * samples:x * samples + count] = judged[line - y][:count]
        yield piece


def places(count, factor):
    """The stored order of a picture's lines, field by field."""
    return [line for field in range(factor) for line in range(field, count, factor)]


def stored_order(rows, factors, samples):
    """The rows and columns of a picture in stored order."""
    columns = places(len(rows[0]) // samples, factors[1])
    return [[rows[y][x * samples + s] for x in columns for s in range(samples)] for y in places(len(rows), factors[0])]


def own_order(rows, factors, samples):
    """The inverse."""
    result = [[0] * len(rows[0]) for _ in rows]
    columns = places(len(rows[0]) // samples, factors[1])
    for row, y in zip(rows, places(len(rows), factors[0])):
        for place, x in enumerate(columns):
            result[y][x * samples:(x + 1) * samples] = row[place * samples:(place + 1) * samples]
    return result


def file(args, codes, pieces, samples, white):
    order = "<" if args.order == "II" else ">"
    fields = {
        254: (4, [0]), 256: (4, [args.width]), 257: (4, [args.height]), 258: (3, [args.bits] * samples),
        259: (3, [args.compression]), 262: (3, [34892 if samples == 3 else 32803]), 271: (2, b"TestCam\0"),
        272: (2, b"Numbers\0"), 274: (3, [1]), 277: (3, [samples]), 284: (3, [1]), 317: (3, [args.predictor]),
        339: (3, [3 if args.float else 1] * samples), 50706: (1, bytes([1, 4, 0, 0])), 50707: (1, bytes([1, 4, 0, 0])),
        50708: (2, b"TestCam Numbers\0"), 50714: (5, [(args.black, 1)] * samples), 50717: (4, [white] * samples),
        50721: (10, [(v, 10000) for v in MATRIX]), 50728: (5, [(5, 10), (1, 1), (6, 10)]),
        50730: (10, [(round(args.exposure * 100), 100)]), 50778: (3, [21]),
        36867: (2, b"2024:05:01 10:00:00\0"), 33434: (5, [(1, 125)]), 34855: (3, [400]),
    }
    if samples == 1:
        fields |= {33421: (3, [2, 2]), 33422: (1, bytes([0, 1, 1, 2]))}
    if args.tile:
        across, down = (int(v) for v in args.tile.split("x"))
        fields |= {322: (4, [across]), 323: (4, [down]), 325: (4, [len(p) for p in pieces])}
    else:
        fields |= {278: (4, [args.rows]), 279: (4, [len(p) for p in pieces])}
    if args.interleave:
        fields |= {50975: (3, [args.interleave[0]]), 52547: (3, [args.interleave[1]])}
    if args.table:
        fields[50712] = (3, meanings())
    if args.negative:
        area = struct.pack(">8I", 0, 0, args.height, args.width, 0, samples, 1, 1)
        table = area + struct.pack(">I256H", 256, *range(255, -1, -1))
        fields[51008] = (7, struct.pack(">5I", 1, 7, 0x01030000, 0, len(table)) + table)
    if args.curves:
        opcodes = [
            struct.pack(">12I", 8, 0x01030000, 0, 68, 0, 0, args.height, args.width, plane, 1, 1, 1)
            + struct.pack(">I4d", 3, 0.001, 0.1 + plane / 50, 0.3, 0.55 - plane / 40) for plane in range(3)]
        fields[51009] = (7, struct.pack(">I", 3) + b"".join(opcodes))
    offset_tag = 324 if args.tile else 273
    form = {3: "H", 4: "I", 5: "II", 10: "ii"}
    offsets = [0] * len(pieces)
    for _ in range(2):
        table, extra = b"", b""
        fields[offset_tag] = (4, offsets)
        start = 8 + 2 + 12 * len(fields) + 4
        for tag, (kind, values) in sorted(fields.items()):
            if isinstance(values, bytes):
                raw = values
            else:
                raw = b"".join(struct.pack(order + form[kind], *(v if isinstance(v, tuple) else (v,))) for v in values)
            table += struct.pack(order + "HHI", tag, kind, len(values))
            if len(raw) <= 4:
                table += raw.ljust(4, b"\0")
            else:
                table += struct.pack(order + "I", start + len(extra))
                extra += raw + b"\0" * (len(raw) % 2)
        head = struct.pack(order + "2sHIH", args.order.encode(), 42, 8, len(fields)) + table + b"\0\0\0\0" + extra
        offsets, end = [], len(head)
        for piece in pieces:
            offsets.append(end)
            end += len(piece)
    return head + b"".join(pieces)


def meanings():
    """The numbers of a lossy JPEG's samples."""
    return [round(65535 * (v / 255) ** 2.2) for v in range(256)]


def scene(args, samples):
    """Light of a smooth scene with a lamp, from nearly 0 to `peak`, and noise."""
    source = random.Random(args.seed)
    for y in range(args.height):
        for x in range(args.width):
            lamp = math.exp(-((x - args.width * 0.7) ** 2 + (y - args.height * 0.3) ** 2) / (0.02 * args.width ** 2))
            light = 2.0 ** (-12 + 10 * x / args.width) * (1 + y / args.height) + args.peak * lamp
            for channel in range(samples):
                yield min(light * (1, 0.9, 0.8)[channel] * source.uniform(0.97, 1.03), args.peak)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--height", type=int, default=48)
    parser.add_argument("--bits", type=int, default=16)
    parser.add_argument("--float", action="store_true")
    parser.add_argument("--rgb", action="store_true")
    parser.add_argument("--compression", type=int, default=8)
    parser.add_argument("--predictor", type=int, default=1)
    parser.add_argument("--order", default="II", choices=["II", "MM"])
    parser.add_argument("--tile")
    parser.add_argument("--rows", type=int, default=1 << 16)
    parser.add_argument("--white", type=int)
    parser.add_argument("--black", type=int, default=0)
    parser.add_argument("--peak", type=float, default=1)
    parser.add_argument("--exposure", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--distance", type=float, default=0, help="distance of JPEG XL, 0 for lossless")
    parser.add_argument("--interleave", type=lambda text: [int(v) for v in text.split("x")], help="rows and columns: 2x2")
    parser.add_argument("--table", action="store_true", help="a linearization table for samples")
    parser.add_argument("--negative", action="store_true", help="invert 8-bit samples (a table of 256 values)")
    parser.add_argument("--curves", action="store_true", help="a polynomial for each colour")
    parser.add_argument("--special", action="store_true", help="some samples that are NaN or negative")
    args = parser.parse_args()
    args.rows = min(args.rows, args.height)
    samples = 3 if args.rgb else 1
    white = args.white or (1 if args.float else 65535 if args.table else (1 << args.bits) - 1)
    limit = (1 << args.bits) - 1
    pairs = []
    for light in scene(args, samples):
        value = light * (((1 << args.bits) - 1 if args.table else white) - args.black) + args.black
        pairs.append(stored(value if args.float else min(round(value), limit), args.bits, args.float))
    if args.special:
        exponent, mantissa = {16: (5, 10), 24: (7, 16), 32: (8, 23)}[args.bits]
        infinite = ((1 << exponent) - 1) << mantissa
        sign = 1 << args.bits - 1
        for place, (code, value) in enumerate(
                [(infinite, math.inf), (infinite | 1, 0.0), (sign | infinite, 0.0), (sign | 5 << mantissa, 0.0), (sign, 0.0),
                 (1, 2.0 ** (2 - 2 ** (exponent - 1) - mantissa))]):
            pairs[place * 7 + 200] = (code, value)
    line = args.width * samples
    rows = [[code for code, _ in pairs[y * line:(y + 1) * line]] for y in range(args.height)]
    values = [[value for _, value in pairs[y * line:(y + 1) * line]] for y in range(args.height)]
    factors = args.interleave or [1, 1]
    rows, values = stored_order(rows, factors, samples), stored_order(values, factors, samples)
    pieces = list(chunks(rows, values, args, samples))
    with open(args.out, "wb") as output:
        output.write(file(args, rows, pieces, samples, white))
    for row in own_order(values, factors, samples):
        row = [255 - value for value in row] if args.negative else row
        print(" ".join(repr(float(meanings()[int(value)] if args.table else value)) for value in row))


if __name__ == "__main__":
    main()
