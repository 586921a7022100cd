"""A picture that is hard to interpolate: text, fabric and fine lines, drawn here without licence restrictions.

Everything is drawn at four times the size, blurred as by a sharp lens, and averaged down."""
import numpy as np
from PIL import Image, ImageDraw, ImageFont

OVER = 4
WIDTH, HEIGHT = 720, 540
#: Crops for the documentation: left, top, width, height.
CROPS = {"text": (20, 112, 96, 64), "fabric": (424, 96, 96, 64), "lines": (192, 352, 96, 64)}
LENS_SIGMA = 0.5


def chart():
    """Height × width × 3, 8-bit sRGB."""
    picture = Image.new("RGB", (WIDTH * OVER, HEIGHT * OVER), (236, 232, 224))
    _text(picture)
    pixels = np.asarray(picture).astype(np.float32)
    _fabric(pixels, 380, 20, 320, 220, (52, 70, 120), (206, 198, 186), 3.6, 0.0)
    _fabric(pixels, 380, 260, 320, 260, (150, 34, 40), (60, 30, 36), 4.1, 0.35)
    _fan(pixels, 190, 350, 165, 150)
    # The mean of light, not of its encoding.
    light = _blur(_blur(np.power(pixels / 255, 2.2), 0), 1).reshape(HEIGHT, OVER, WIDTH, OVER, 3).mean((1, 3))
    return np.clip(np.rint(np.power(light, 1 / 2.2) * 255), 0, 255).astype(np.uint8)


def _blur(pixels, axis):
    reach = 2 * OVER
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (LENS_SIGMA * OVER)) ** 2)
    return sum(w * np.roll(pixels, shift, axis)
               for shift, w in zip(range(-reach, reach + 1), weights / weights.sum()))


def _text(picture):
    draw = ImageDraw.Draw(picture)
    lines = ["Rawmill develops RAW files", "Sphinx of black quartz, judge my vow", "0123456789 fine print (c) 2/3 x 4"]
    y = 16
    for size, ink in [(22, (24, 24, 26)), (16, (24, 24, 26)), (12, (24, 24, 26)), (9, (24, 24, 26)),
                      (12, (176, 28, 34)), (12, (24, 60, 160))]:
        font = ImageFont.load_default(size * OVER)
        for line in lines[: 1 if size > 12 else 2 if size > 9 else 3]:
            draw.text((20 * OVER, y * OVER), line, ink, font)
            y += size * 5 // 4
        y += 4
    draw.rectangle([20 * OVER, (y + 4) * OVER, 360 * OVER, (y + 56) * OVER], (30, 42, 38))
    for i, line in enumerate(lines[1:]):
        draw.text((26 * OVER, (y + 10 + 20 * i) * OVER), line, (240, 230, 120), ImageFont.load_default(14 * OVER))


def _fabric(pixels, left, top, width, height, warp, weft, period, angle):
    """A twill of two colours of thread, with `period` pixels between threads."""
    y, x = np.mgrid[0:height * OVER, 0:width * OVER] / OVER
    u = (x * np.cos(angle) - y * np.sin(angle)) / period
    v = (x * np.sin(angle) + y * np.cos(angle)) / period
    over = ((np.floor(u) + np.floor(v)) % 3 != 0)[..., None]
    round_u = 0.55 + 0.45 * np.sin(np.pi * (u % 1))[..., None]
    round_v = 0.55 + 0.45 * np.sin(np.pi * (v % 1))[..., None]
    threads = np.where(over, np.array(warp) * round_u, np.array(weft) * round_v)
    pixels[top * OVER:(top + height) * OVER, left * OVER:(left + width) * OVER] = threads


def _fan(pixels, x0, y0, width, height):
    """Lines from a point, increasingly fine: a quarter of a Siemens star."""
    y, x = np.mgrid[0:height * OVER, -width * OVER:width * OVER] / OVER
    dark = np.sin(np.arctan2(y + 0.01, x) * 90) > 0
    inside = np.hypot(x, y) < height
    region = pixels[y0 * OVER:(y0 + height) * OVER, (x0 - width) * OVER:(x0 + width) * OVER]
    region[inside & dark] = (30, 30, 32)
