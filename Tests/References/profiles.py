#!/usr/bin/env python3
"""The colours of a camera profile by the formulas of the DNG specification (Adobe, 2023, "Digital Negative Specification"
1.7, chapter 6 and the tags ProfileHueSatMapData and ProfileLookTableData), in plain Python: prints the numbers that
ProfileTests expects."""
import colorsys


def mul(a, b):
    if isinstance(b[0], (int, float)):
        return [sum(x * y for x, y in zip(row, b)) for row in a]
    return [[sum(row[k] * b[k][j] for k in range(3)) for j in range(3)] for row in a]


def diag(v):
    return [[v[i] if i == j else 0 for j in range(3)] for i in range(3)]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    cof = [[e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f],
           [d * h - e * g, b * g - a * h, a * e - b * d]]
    return [[x / det for x in row] for row in cof]


def xyz(xy):
    return [xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]]


def mix(w, a, b):
    return [[w * x + (1 - w) * y for x, y in zip(p, q)] for p, q in zip(a, b)]


BRADFORD = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
D50, D65 = (0.3457, 0.3585), (0.31271, 0.32902)


def adapt(source, target):
    s, t = mul(BRADFORD, xyz(source)), mul(BRADFORD, xyz(target))
    return mul(inverse(BRADFORD), mul(diag([q / p for p, q in zip(s, t)]), BRADFORD))


def rgb_to_xyz(red, green, blue, white):
    columns = [xyz(c) for c in (red, green, blue)]
    raw = [[columns[j][i] for j in range(3)] for i in range(3)]
    return mul(raw, diag(mul(inverse(raw), xyz(white))))


PROPHOTO = rgb_to_xyz((0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), D50)


def temperature(xy):
    """McCamy's formula."""
    n = (xy[0] - 0.3320) / (0.1858 - xy[1])
    return 449 * n ** 3 + 3525 * n ** 2 + 6823.3 * n + 5520.33


def warmth(kelvin, warm=2856, cold=6504):
    t = min(max(kelvin, warm), cold)
    return (1 / t - 1 / cold) / (1 / warm - 1 / cold)


def white_of(neutral, matrices, calibrations):
    xy = D65
    for _ in range(100):
        w = warmth(temperature(xy))
        m = mix(w, mul(calibrations[0], matrices[0]), mul(calibrations[1], matrices[1]))
        x, y, z = mul(inverse(m), neutral)
        xy = (x / (x + y + z), y / (x + y + z))
    return xy


def camera_to_d50(neutral, matrices, calibrations, forwards):
    w = warmth(temperature(white_of(neutral, matrices, calibrations)))
    calibration = inverse(mix(w, *calibrations))
    reference = mul(calibration, neutral)
    return mul(mix(w, *forwards), mul(diag([1 / r for r in reference]), calibration)), w


def locus(kelvin):
    """Daylight (CIE 15:2004) from 4,000 K on, else a black body (Kang et al., 2002)."""
    r = 1000 / kelvin
    if kelvin >= 4000:
        x = (((-4.6070 * r + 2.9678) * r + 0.09911) * r + 0.244063 if kelvin <= 7000
             else ((-2.0064 * r + 1.9018) * r + 0.24748) * r + 0.237040)
        return x, -3 * x * x + 2.87 * x - 0.275
    x = ((-0.2661239 * r - 0.2343589) * r + 0.8776956) * r + 0.179910
    y = (((-1.1063814 * x - 1.3481102) * x + 2.18555832) * x - 0.20219683 if kelvin <= 2222
         else ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867)
    return x, y


def tint(xy):
    def uv(c):
        d = -2 * c[0] + 12 * c[1] + 3
        return 4 * c[0] / d, 6 * c[1] / d
    t = temperature(xy)
    (u, v), (u1, v1), (u2, v2) = uv(locus(t)), uv(locus(t * 1.01)), uv(xy)
    return ((v2 - v) * (u1 - u) - (u2 - u) * (v1 - v)) / ((u1 - u) ** 2 + (v1 - v) ** 2) ** 0.5 * 3000


def weights(xy, lights):
    """Weights of three lights, each a temperature and a tint (Adobe's DNG SDK 1.6)."""
    place = (min(1500 / temperature(xy), 1), tint(xy) / 200)
    near = [1 / ((min(1500 / k, 1) - place[0]) ** 2 + (t / 200 - place[1]) ** 2 + 1e-8) for k, t in lights]
    near = [w / sum(near) for w in near]
    near = [min(max((w * w * (3 - 2 * w) - 0.02) / 0.98, 0), 1) for w in near]
    return [w / sum(near) for w in near]


def mix3(w, matrices):
    return [[sum(w[k] * matrices[k][i][j] for k in range(3)) for j in range(3)] for i in range(3)]


def three_lights(neutral, lights, matrices, calibrations, forwards):
    xy = D65
    for _ in range(100):
        m = mix3(weights(xy, lights), [mul(c, m) for c, m in zip(calibrations, matrices)])
        x, y, z = mul(inverse(m), neutral)
        xy = (x / (x + y + z), y / (x + y + z))
    w = weights(xy, lights)
    calibration = inverse(mix3(w, calibrations))
    reference = mul(calibration, neutral)
    return mul(mix3(w, forwards), mul(diag([1 / r for r in reference]), calibration)), w


def encode(v):
    return 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


def decode(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def moved(rgb, dims, points, encodes):
    hues, sats, vals = dims
    h, s, v = colorsys.rgb_to_hsv(*rgb)
    place_v = encode(v) if encodes else v

    def at(i, j, k):
        return points[(k * hues + i % hues) * sats + j]
    x, y, z = h * hues, min(s, 1) * (sats - 1), min(place_v, 1) * (vals - 1)
    i, j, k = int(x), min(int(y), sats - 2), min(int(z), max(vals - 2, 0))
    total = [0, 0, 0]
    for di in (0, 1):
        for dj in (0, 1):
            for dk in ((0, 1) if vals > 1 else (0,)):
                weight = abs(1 - di - (x - i)) * abs(1 - dj - (y - j)) * (abs(1 - dk - (z - k)) if vals > 1 else 1)
                total = [t + weight * p for t, p in zip(total, at(i + di, j + dj, k + dk))]
    v = decode(place_v * total[2]) if encodes else v * total[2]
    return colorsys.hsv_to_rgb((h + total[0] / 360) % 1, min(s * total[1], 1), v)


def table(dims, seed):
    """The numbers that ProfileTests makes in the same way."""
    state, points = seed, []
    def number():
        nonlocal state
        state = (state * 75 + 74) % 65537
        return state / 65536
    for _ in range(dims[0] * dims[1] * dims[2]):
        points.append((number() * 40 - 20, 0.5 + number(), 0.75 + number() / 2))
    return points


COLOURS = [(0.5, 0.2, 0.1), (0.1, 0.7, 0.3), (0.05, 0.1, 0.9), (0.9, 0.85, 0.02), (0.4, 0.02, 0.3), (0.2, 0.2, 0.2)]
MATRICES = [[[0.7171, -0.1986, -0.0648], [-0.8085, 1.5555, 0.2718], [-0.2170, 0.2512, 0.7457]],
            [[0.4716, 0.0603, -0.0830], [-0.7798, 1.5474, 0.2480], [-0.1496, 0.1937, 0.6651]]]
CALIBRATIONS = [[[1.02, 0.01, 0], [0, 1, 0.005], [0, 0, 0.97]], [[0.99, 0, 0], [0.01, 1, 0], [0, 0.02, 1.03]]]
FORWARDS = [[[0.7868, 0.0092, 0.1683], [0.2291, 0.8615, -0.0906], [0.0152, -0.2330, 1.0429]],
            [[0.6637, 0.1349, 0.1657], [0.2042, 0.8353, -0.0395], [0.0045, -0.1500, 0.9706]]]
NEUTRAL = [0.55, 1, 0.62]
# A third light, a cold fluorescent one with a green cast.
THIRD = (0.3805, 0.3990)
THIRD_MATRIX = [[0.60, -0.07, -0.07], [-0.80, 1.55, 0.26], [-0.18, 0.22, 0.70]]
THIRD_CALIBRATION = [[1.01, 0, 0], [0, 1, 0], [0, 0, 0.99]]
THIRD_FORWARD = [[0.70, 0.10, 0.1642], [0.21, 0.85, -0.06], [0.01, -0.20, 1.0151]]

if __name__ == "__main__":
    for dims, encodes in [((6, 4, 1), False), ((6, 3, 4), False), ((5, 3, 4), True), ((1, 2, 3), True)]:
        points = table(dims, 7)
        print(dims, encodes, [[round(c, 6) for c in moved(rgb, dims, points, encodes)] for rgb in COLOURS])
    matrix, w = camera_to_d50(NEUTRAL, MATRICES, CALIBRATIONS, FORWARDS)
    print("warmth", round(w, 6))
    camera = mul(diag(NEUTRAL), [0.4, 0.5, 0.2])
    print("XYZ under D65", [round(c, 5) for c in mul(adapt(D50, D65), mul(matrix, camera))])
    print("ProPhoto", [round(c, 5) for c in mul(inverse(PROPHOTO), mul(matrix, camera))])
    rec2020 = rgb_to_xyz((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), D65)
    way = mul(inverse(PROPHOTO), mul(adapt(D65, D50), rec2020))
    print("from Rec. 2020", [round(c, 6) for row in way for c in row])
    # The whole path: camera, ProPhoto, HueSatMap, exposure, LookTable, Rec. 2020.
    maps = [table((6, 4, 1), 11), table((6, 4, 1), 23)]
    both = [tuple(w * x + (1 - w) * y for x, y in zip(p, q)) for p, q in zip(*maps)]
    light = mul(inverse(PROPHOTO), mul(matrix, camera))
    light = moved(light, (6, 4, 1), both, False)
    light = moved([1.5 * c for c in light], (5, 3, 4), table((5, 3, 4), 7), True)
    print("whole way", [round(c, 5) for c in mul(inverse(way), light)])
    lights = [(2856, 0), (6504, 0), (temperature(THIRD), tint(THIRD))]
    all_three = (MATRICES + [THIRD_MATRIX], CALIBRATIONS + [THIRD_CALIBRATION], FORWARDS + [THIRD_FORWARD])
    for neutral in (NEUTRAL, [0.50, 1, 0.50], [0.44, 1, 0.70]):
        matrix, w = three_lights(neutral, lights, *all_three)
        camera = mul(diag(neutral), [0.4, 0.5, 0.2])
        print("three lights", neutral, [round(x, 4) for x in w],
              [round(c, 5) for c in mul(adapt(D50, D65), mul(matrix, camera))])
