#!/usr/bin/env python3
"""A reference for the opcodes of a DNG: reads the file independently, and computes by the specification's formulas
(Adobe, "Digital Negative Specification 1.4", chapter 7) the brightness of some places of each channel, and the
sources of their pixels.

usage: corrections.py FILE.dng      (Python alone)
prints lines of: gain X Y CHANNEL FACTOR, and: warp X Y CHANNEL FROM-X FROM-Y, in samples from the first one stored
"""
import math
import struct
import sys

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 12: 8, 13: 4}
FORMS = {1: "B", 2: "B", 3: "H", 4: "I", 7: "B", 9: "i", 13: "I"}
ACROSS, DOWN = 9, 7


def directories(data):
    """All of a file's directories, as dictionaries of bytes or numbers by tag."""
    order = "<" if data[:2] == b"II" else ">"
    waiting = [struct.unpack_from(order + "I", data, 4)[0]]
    while waiting:
        at = waiting.pop()
        fields = {}
        for i in range(struct.unpack_from(order + "H", data, at)[0]):
            tag, kind, count = struct.unpack_from(order + "HHI", data, at + 2 + 12 * i)
            place = at + 10 + 12 * i
            if SIZES.get(kind, 1) * count > 4:
                place = struct.unpack_from(order + "I", data, place)[0]
            if kind in FORMS:
                fields[tag] = struct.unpack_from(f"{order}{count}{FORMS[kind]}", data, place)
        waiting += fields.get(330, ())
        yield fields


def opcodes(fields, tag):
    data = bytes(fields.get(tag, (0, 0, 0, 0)))
    at = 4
    for _ in range(struct.unpack_from(">I", data)[0]):
        number, _, _, size = struct.unpack_from(">IIII", data, at)
        yield number, data[at + 16 : at + 16 + size]
        at += 16 + size


def middle(centre, width, height):
    """The centre in pixels, and its distance from the farthest corner."""
    x, y = centre[0] * (width - 1), centre[1] * (height - 1)
    return x, y, math.hypot(max(x, width - 1 - x), max(y, height - 1 - y))


def gain_map(data, x, y, channel, width, height, is_mosaic):
    top, left, bottom, right, plane, planes, row_pitch, column_pitch, rows, columns = struct.unpack_from(">10I", data)
    down, across, from_y, from_x = struct.unpack_from(">4d", data, 40)
    layers = struct.unpack_from(">I", data, 72)[0]
    factors = struct.unpack_from(f">{rows * columns * layers}f", data, 76)
    of_plane = 0 if is_mosaic else channel
    inside = top <= y < bottom and left <= x < right and (y - top) % row_pitch == 0 and (x - left) % column_pitch == 0
    if not inside or not plane <= of_plane < plane + planes:
        return 1

    def axis(share, count, spacing, origin):
        place = min(max((share - origin) / spacing, 0), count - 1) if count > 1 else 0
        low = min(int(place), max(count - 2, 0))
        return low, min(low + 1, count - 1), place - low

    r0, r1, v = axis((y + 0.5) / height, rows, down, from_y)
    c0, c1, h = axis((x + 0.5) / width, columns, across, from_x)
    at = lambda r, c: factors[(r * columns + c) * layers + min(of_plane - plane, layers - 1)]
    upper, lower = at(r0, c0) * (1 - h) + at(r0, c1) * h, at(r1, c0) * (1 - h) + at(r1, c1) * h
    return upper * (1 - v) + lower * v


def vignette(data, x, y, width, height):
    *k, cx, cy = struct.unpack(">7d", data)
    mx, my, m = middle((cx, cy), width, height)
    r2 = ((x - mx) ** 2 + (y - my) ** 2) / m**2
    return 1 + sum(k[i] * r2 ** (i + 1) for i in range(5))


def warp(data, x, y, channel, width, height):
    planes = struct.unpack_from(">I", data)[0]
    r0, r1, r2, r3, t0, t1 = struct.unpack_from(">6d", data, 4 + 48 * min(channel, planes - 1))
    mx, my, m = middle(struct.unpack_from(">2d", data, 4 + 48 * planes), width, height)
    dx, dy = (x - mx) / m, (y - my) / m
    r = dx * dx + dy * dy
    f = r0 + r * (r1 + r * (r2 + r * r3))
    across = f * dx + t0 * 2 * dx * dy + t1 * (r + 2 * dx * dx)
    down = f * dy + t1 * 2 * dx * dy + t0 * (r + 2 * dy * dy)
    return mx + m * across, my + m * down


def main():
    fields = next(f for f in directories(open(sys.argv[1], "rb").read()) if f.get(262, (0,))[0] in (32803, 34892))
    is_mosaic = fields[262][0] == 32803
    top, left, bottom, right = fields.get(50829, (0, 0, fields[257][0], fields[256][0]))
    width, height = right - left, bottom - top
    second, third = list(opcodes(fields, 51009)), list(opcodes(fields, 51022))
    for row in range(DOWN):
        for column in range(ACROSS):
            x, y = column * (width - 1) // (ACROSS - 1), row * (height - 1) // (DOWN - 1)
            for channel in range(3):
                factor, (from_x, from_y), warps = 1, (x, y), False
                for number, data in second:
                    if number == 9:
                        factor *= gain_map(data, x, y, channel, width, height, is_mosaic)
                # From the finished picture backwards.
                for number, data in reversed(third):
                    if number == 9:
                        factor *= gain_map(data, x, y, channel, width, height, False)
                    elif number == 3:
                        factor *= vignette(data, x, y, width, height)
                    elif number == 1:
                        (from_x, from_y), warps = warp(data, from_x, from_y, channel, width, height), True
                print("gain", left + x, top + y, channel, f"{factor:.9f}")
                if warps:
                    print("warp", left + x, top + y, channel, f"{left + from_x:.6f}", f"{top + from_y:.6f}")


main()
