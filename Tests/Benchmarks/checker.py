"""The colour error of the 24 patches of a ColorChecker in a picture."""
import numpy as np

import colour

#: CIELAB under D50 of the charts made before November 2014, row by row (X-Rite, 2016, "Colorimetric values for
#: ColorChecker family of targets").
PATCHES = np.array([
    [37.986, 13.555, 14.059], [65.711, 18.13, 17.81], [49.927, -4.88, -21.925], [43.139, -13.095, 21.905],
    [55.112, 8.844, -25.399], [70.719, -33.397, -0.199], [62.661, 36.067, 57.096], [40.02, 10.41, -45.964],
    [51.124, 48.239, 16.248], [30.325, 22.976, -21.587], [72.532, -23.709, 57.255], [71.941, 19.363, 67.857],
    [28.778, 14.179, -50.297], [55.261, -38.342, 31.37], [42.101, 53.378, 28.19], [81.733, 4.039, 79.819],
    [51.935, 49.986, -14.574], [51.038, -28.631, -28.638], [96.539, -0.425, 1.186], [81.257, -0.638, -0.335],
    [66.766, -0.734, -0.504], [50.867, -0.153, -0.27], [35.656, -0.421, -1.231], [20.461, -0.079, -0.973]])
#: The light grey patch next to white.
GREY = 19
#: Edge of the square that is averaged in the middle of each patch, in pixels.
MEASURED = 40


def centres(corners):
    """Centres of the 24 patches; `corners`: the centres at the ends of the first and the last row, x and y."""
    first, last, below, end = np.array(corners, float).reshape(4, 2)
    for patch in range(24):
        u, v = patch % 6 / 5, patch // 6 / 3
        yield (first * (1 - u) + last * u) * (1 - v) + (below * (1 - u) + end * u) * v


def means(corners, crop):
    """Light of each patch; `crop(left, top, width, height)` returns the picture's 8-bit sRGB there."""
    half = MEASURED // 2
    return np.array([
        colour.decode_srgb(crop(int(x) - half, int(y) - half, MEASURED, MEASURED)).mean((0, 1), dtype=np.float64)
        for x, y in centres(corners)])


def distance(light):
    """Mean ΔE2000 over the patches at the exposure factor that minimises it; and the colour error alone, with the
    right lightness given to each patch, so that tone curves do not count."""
    whole = min(_mean(colour.lab_d50(light * factor)) for factor in np.exp(np.linspace(-3, 3, 361)))
    patches = [colour.lab_d50(one * np.exp(np.linspace(-3, 3, 361))[:, None]) for one in light]
    right = np.array([scaled[np.abs(scaled[:, 0] - wanted[0]).argmin()] for scaled, wanted in zip(patches, PATCHES)])
    return whole, _mean(right)


def _mean(values):
    return float(colour.delta_e_2000(values, PATCHES).mean())


def picture(width=900, height=600):
    """Light of a drawn chart on a dark frame, and its corners for `centres`."""
    light = np.full((height, width, 3), 0.02, np.float32)
    step, size = 140, 110
    left, top = (width - 5 * step) // 2, (height - 3 * step) // 2
    corners = [left, top, left + 5 * step, top, left, top + 3 * step, left + 5 * step, top + 3 * step]
    for (x, y), patch in zip(centres(corners), colour.light_of_lab_d50(PATCHES)):
        light[int(y) - size // 2:int(y) + size // 2, int(x) - size // 2:int(x) + size // 2] = patch
    return light, corners
