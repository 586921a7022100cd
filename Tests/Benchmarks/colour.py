"""CIELAB of pictures, and colour differences."""
import numpy as np

from mosaic import RGB_TO_XYZ, decode_srgb

#: From XYZ under D65 to XYZ under D50 (Bradford), and D50's white.
TO_D50 = np.array([[1.0478112, 0.0228866, -0.0501270], [0.0295424, 0.9904844, -0.0170491],
                   [-0.0092345, 0.0150436, 0.7521316]])
D50 = np.array([0.96422, 1, 0.82521])


def lab(light):
    """CIELAB of linear sRGB, relative to its own white (D65)."""
    return _lab(light @ (RGB_TO_XYZ / RGB_TO_XYZ.sum(1)[:, None]).T.astype(light.dtype))


def lab_of_picture(pixels):
    """CIELAB of 8-bit sRGB."""
    return lab(decode_srgb(pixels))


def lab_d50(light):
    """CIELAB under D50 of linear sRGB, as published for colour charts."""
    return _lab(light @ (TO_D50 @ RGB_TO_XYZ / D50[:, None]).T)


def light_of_lab_d50(values):
    """The inverse: linear sRGB, below 0 for colours outside of sRGB."""
    y = (values[..., 0] + 16) / 116
    f = np.stack([y + values[..., 1] / 500, y, y - values[..., 2] / 200], -1)
    xyz = np.where(f > 6 / 29, f ** 3, (116 * f - 16) * 27 / 24389) * D50
    return xyz @ np.linalg.inv(TO_D50 @ RGB_TO_XYZ).T


def _lab(relative):
    f = np.where(relative > 216 / 24389, np.cbrt(relative), (24389 / 27 * relative + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def chroma(values):
    return np.hypot(values[..., 1], values[..., 2])


def hue(values):
    """Degrees: 0 is red to pink, 90 yellow, 180 green, 270 blue."""
    return np.degrees(np.arctan2(values[..., 2], values[..., 1])) % 360


def delta_e_2000(p, q):
    """G. Sharma, W. Wu, E. N. Dalal, 2005, "The CIEDE2000 color-difference formula", with two of its pairs:

    >>> [round(float(delta_e_2000(np.array(p), np.array(q))), 4) for p, q in
    ...  [([50, 2.6772, -79.7751], [50, 0, -82.7485]), ([50, 2.5, 0], [73, 25, -18])]]
    [2.0425, 27.1492]
    """
    def power7(c):
        return np.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7))

    g = 0.5 * (1 - power7((chroma(p) + chroma(q)) / 2))
    a1, a2 = p[..., 1] * (1 + g), q[..., 1] * (1 + g)
    c1, c2 = np.hypot(a1, p[..., 2]), np.hypot(a2, q[..., 2])
    h1, h2 = np.arctan2(p[..., 2], a1) % (2 * np.pi), np.arctan2(q[..., 2], a2) % (2 * np.pi)
    turn = (h2 - h1 + np.pi) % (2 * np.pi) - np.pi
    h = np.where(c1 * c2 == 0, h1 + h2, h1 + turn / 2)
    lightness, c = (p[..., 0] + q[..., 0]) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * np.cos(h - np.pi / 6) + 0.24 * np.cos(2 * h) + 0.32 * np.cos(3 * h + np.pi / 30)
         - 0.2 * np.cos(4 * h - np.radians(63)))
    x = (q[..., 0] - p[..., 0]) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    y = (c2 - c1) / (1 + 0.045 * c)
    z = 2 * np.sqrt(c1 * c2) * np.sin(turn / 2) / (1 + 0.015 * c * t)
    blue = np.radians(60) * np.exp(-((np.degrees(h) % 360 - 275) / 25) ** 2)
    return np.sqrt(x * x + y * y + z * z - 2 * power7(c) * np.sin(blue) * y * z)
