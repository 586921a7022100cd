"""Linear sRGB light of generated scenes with burnt-out lights: 1 is nearly the sensor's limit in mosaic.py."""
import numpy as np

#: Balanced light of six lamps: amber, red, green, blue, violet, warm white.
LAMPS = [(1, 0.5, 0.1), (1, 0.06, 0.04), (0.08, 0.9, 0.2), (0.06, 0.16, 1), (0.9, 0.1, 0.8), (1, 0.93, 0.82)]
#: Reflectance of three skins.
SKINS = [(0.62, 0.40, 0.30), (0.45, 0.27, 0.18), (0.25, 0.14, 0.09)]


def street(width=1200, height=800):
    """A dusk with a burnt-out sun, lamps of six colours brighter than any sensor's limit, and two balls with
    highlights, one of skin colour."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    up = np.clip(1 - y / (height * 0.6), 0, 1)[..., None]
    light = 0.08 + up * np.array([0.22, 0.36, 0.62], np.float32)
    sun = np.hypot(x - width * 0.86, y - height * 0.2)
    light += (6 * np.exp(-(sun / 60) ** 2) + 1.1 * np.exp(-sun / 260))[..., None] * np.array((1, 0.86, 0.62), np.float32)
    light *= np.where(y[..., None] > height * 0.6, np.array([0.5, 0.42, 0.34], np.float32), 1)
    for i, lamp in enumerate(LAMPS):
        far = np.hypot(x - width * (0.1 + 0.12 * i), y - height * 0.45)
        light += (20 * np.exp(-(far / 14) ** 2) + 1.2 * np.exp(-far / 30))[..., None] * np.array(lamp, np.float32)
    for centre, skin in [(0.25, (0.62, 0.36, 0.25)), (0.6, (0.55, 0.56, 0.55))]:
        light = _ball(light, x - width * centre, y - height * 0.78, height * 0.17, np.array(skin) * 1.1, 3.0)
    return light


def noon(width=1200, height=800):
    """A bright day: a sky that burns out around the sun, burnt-out clouds, hills, and three balls of skin colour
    whose lit sides burn out."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    up = np.clip(1 - y / (height * 0.66), 0, 1)
    sky = (0.9 - 0.55 * up)[..., None] * np.array([0.55, 0.78, 1.1], np.float32) + 0.12
    sun = np.hypot(x - width * 0.22, y - height * 0.18)
    glow = 40 * np.exp(-(sun / 16) ** 2) + 1.6 * np.exp(-sun / 90) + 0.5 * np.exp(-sun / 320)
    sky += glow[..., None] * np.array([1, 0.95, 0.85], np.float32)
    clouds = _clouds(height, width)
    thick = np.clip((clouds - 0.5) * 4, 0, 1)[..., None]
    lit = (0.62 + 1.5 * np.clip(clouds - 0.55, 0, 1) + 0.5 * np.exp(-sun / 300))[..., None]
    sky = sky * (1 - thick) + thick * lit * np.array([1, 1, 1.02], np.float32)
    hill = height * (0.66 + 0.04 * np.sin(x / 170) + 0.02 * np.sin(x / 61 + 1))
    grass = (0.10 + 0.05 * clouds)[..., None] * np.array([0.8, 1.1, 0.35], np.float32)
    light = np.where((y > hill)[..., None], grass, sky)
    for centre, skin in zip((0.45, 0.66, 0.87), SKINS):
        light = _ball(light, x - width * centre, y - height * 0.74, height * 0.16, np.array(skin) * 1.9, 1.2)
    return light


def _ball(light, x, y, radius, colour, shine):
    u, v = x / radius, y / radius
    z = np.sqrt(np.maximum(0, 1 - u * u - v * v))
    facing = np.maximum(0, 0.45 * u - 0.5 * v + 0.74 * z)[..., None]
    ball = (0.05 + facing) * colour.astype(np.float32) + shine * facing ** 40
    return np.where((u * u + v * v < 1)[..., None], ball, light)


def _clouds(height, width):
    """Noise of seven octaves, 0 to 1."""
    random = np.random.default_rng(3)
    total = np.zeros((height, width), np.float32)
    for octave in range(7):
        rows, columns = 3 * 2 ** octave, 4 * 2 ** octave
        grid = random.random((rows + 1, columns + 1), dtype=np.float32)
        v, u = np.linspace(0, rows, height, endpoint=False), np.linspace(0, columns, width, endpoint=False)
        j, i = v.astype(int), u.astype(int)
        p, q = (v - j)[:, None], (u - i)[None, :]
        p, q = p * p * (3 - 2 * p), q * q * (3 - 2 * q)
        upper = grid[j][:, i] * (1 - q) + grid[j][:, i + 1] * q
        lower = grid[j + 1][:, i] * (1 - q) + grid[j + 1][:, i + 1] * q
        total += (upper * (1 - p) + lower * p) * 0.5 ** octave
    return (total - total.min()) / (total.max() - total.min())
