"""Figures of a finished picture: contrast, tones, colour, and highlights."""
from dataclasses import asdict, dataclass

import numpy as np
from PIL import Image

import colour

#: Pictures are scaled down to this long edge for the figures, about a screen's size.
LONG_EDGE = 1200
#: Lights: at least this fraction of the picture's 99th percentile of L*, so that a darker picture also has lights.
LIGHT = 0.75
#: Pink: range of hues in degrees, and the minimum C*.
PINK = (300, 30, 5)


@dataclass
class Figures:
    spread: float          # standard deviation of L*
    p1: float              # percentiles of L*
    p50: float
    p99: float
    chroma: float          # mean C*
    near_white: list       # mean sRGB of the pixels whose luma is in the top 1 to 5 per cent
    near_white_chroma: float
    near_white_hue: float  # degrees
    brightest: list        # mean sRGB of the top 1 per cent
    pink: float            # per cent of all pixels that are light and pink

    dictionary = asdict


def small(picture):
    zoom = LONG_EDGE / max(picture.size)
    return picture if zoom >= 1 else picture.resize([round(n * zoom) for n in picture.size], Image.BOX)


def luma(pixels):
    return pixels.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)


def near_white(pixels):
    """Masks of the pixels whose luma is in the top 1 to 5 per cent, and in the top 1, by rank, so that ties do not
    empty a set."""
    ranks = np.empty(pixels.shape[0] * pixels.shape[1], np.int64)
    order = np.argsort(luma(pixels), axis=None, kind="stable")
    ranks[order] = np.arange(len(order))
    share = (ranks / len(order)).reshape(pixels.shape[:2])
    return (share >= 0.95) & (share < 0.99), share >= 0.99


def light(values):
    """Mask of the picture's lights, from CIELAB."""
    return values[..., 0] > LIGHT * np.percentile(values[..., 0], 99)


def pink(values):
    first, last, least = PINK
    hue = colour.hue(values)
    return light(values) & ((hue > first) | (hue < last)) & (colour.chroma(values) > least)


def measure(picture):
    pixels = np.asarray(small(picture))
    values = colour.lab_of_picture(pixels)
    p1, p50, p99 = np.percentile(values[..., 0], [1, 50, 99])
    near, brightest = near_white(pixels)
    # The mean of encoded values, as seen; the mean of light would be dominated by the brightest.
    mean = pixels[near].mean(0)
    of_mean = colour.lab_of_picture(np.rint(mean).astype(np.uint8))
    return Figures(float(values[..., 0].std()), float(p1), float(p50), float(p99), float(colour.chroma(values).mean()),
                   mean.tolist(), float(colour.chroma(of_mean)), float(colour.hue(of_mean)),
                   pixels[brightest].mean(0).tolist(), float(pink(values).mean() * 100))
