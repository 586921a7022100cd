#!/usr/bin/env python3
"""The formulas of a DNG's opcodes (Adobe, "Digital Negative Specification 1.4", chapter 7), one line for each, in plain
Python: prints the numbers that OpcodeTests and GainTests expect."""
import math


def gain_map(x, y, width, height, points, spacing, origin, factors):
    """Bilinear, at a pixel's centre as a fraction of the picture, and constant beyond the outermost points."""
    def axis(share, count, space, start):
        place = min(max((share - start) / space, 0), count - 1)
        low = min(int(place), max(count - 2, 0))
        return low, min(low + 1, count - 1), place - low
    r0, r1, v = axis((y + 0.5) / height, points[0], spacing[0], origin[0])
    c0, c1, h = axis((x + 0.5) / width, points[1], spacing[1], origin[1])
    upper = factors[r0][c0] * (1 - h) + factors[r0][c1] * h
    lower = factors[r1][c0] * (1 - h) + factors[r1][c1] * h
    return upper * (1 - v) + lower * v


def vignette(x, y, width, height, k, cx, cy):
    x0, y0 = cx * (width - 1), cy * (height - 1)
    m = math.hypot(max(x0, width - 1 - x0), max(y0, height - 1 - y0))
    r2 = ((x - x0) ** 2 + (y - y0) ** 2) / m ** 2
    return 1 + sum(k[i] * r2 ** (i + 1) for i in range(5))


def polynomial(value, coefficients):
    return min(max(sum(c * value ** i for i, c in enumerate(coefficients)), 0), 1)


if __name__ == "__main__":
    places = [(0, 0), (5, 3), (20, 11), (31, 20), (47, 31), (63, 47)]
    factors = [[2, 1.5, 1.25, 3], [1, 1.125, 1, 2], [4, 1.5, 1.75, 2.5]]
    print("gain map", [round(gain_map(x, y, 64, 48, (3, 4), (0.45, 0.3), (0.05, 0.1), factors), 6) for x, y in places])
    k = [0.5, -0.25, 0.125, 0.3, -0.1]
    print("vignette", [round(vignette(x, y, 64, 48, k, 0.45, 0.6), 6) for x, y in places])
    print("polynomial", [round(polynomial(v / 8, [0.01, 0.5, 0.75, -0.2]), 6) for v in range(9)])
