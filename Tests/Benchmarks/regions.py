"""Selects places in a picture that distinguish programs."""
import numpy as np

import colour

#: Size of a place, in pixels of the picture.
WIDTH, HEIGHT = 300, 225
#: Pictures are examined at this scale, in pixels per sample.
STEP = 15


def choose(reference, others):
    """By name: left and top in `reference` (an `Aligned` picture) of each place; `others` are aligned with it."""
    width, height = reference.picture.size
    if width <= WIDTH or height <= HEIGHT:
        return {"all": (0, 0)}
    ours = _reduced(reference, width, height)
    lightness = ours[..., 0]
    places = {"centre": ((width - WIDTH) // 2, (height - HEIGHT) // 2)}
    # Not the middle of white areas, where nothing is visible, but their edge.
    bright = _windows((lightness > np.percentile(lightness, 97)).astype(float))
    places["brightest"] = _place(bright * (1 - bright))
    mean, square = _windows(lightness), _windows(lightness ** 2)
    dark = mean <= np.percentile(mean, 12)
    places["shadow"] = _place(np.where(dark, np.sqrt(np.maximum(square - mean ** 2, 0)), -1))
    if others:
        theirs = np.median([_reduced(o, width, height) for o in others], axis=0)
        difference = ours - theirs
        # Programs choose different exposures, which the whole picture shows.
        difference[..., 0] -= np.median(difference[..., 0])
        scores = _windows(np.sqrt((difference ** 2).sum(-1)))
        for left, top in places.values():
            _leave_out(scores, left, top)
        places["largest difference"] = _place(scores)
    return places


def around(place, size, zoom):
    """A rectangle `zoom` times a place's size around it, inside the picture: left, top, width, height."""
    width, height = min(WIDTH * zoom, size[0]), min(HEIGHT * zoom, size[1])
    left = min(max(0, place[0] + WIDTH // 2 - width // 2), size[0] - width)
    top = min(max(0, place[1] + HEIGHT // 2 - height // 2), size[1] - height)
    return left, top, width, height


def _reduced(aligned, width, height):
    part = aligned.part(0, 0, width // STEP * STEP, height // STEP * STEP, 1 / STEP)
    return colour.lab_of_picture(np.asarray(part))


def _windows(values):
    """Means over all places, by their left and top in steps."""
    sums = np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    h, w = HEIGHT // STEP, WIDTH // STEP
    return (sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]) / (h * w)


def _leave_out(scores, left, top):
    """Places that overlap a selected one by more than a quarter."""
    x, y, reach_x, reach_y = (n // STEP for n in (left, top, WIDTH // 2, HEIGHT // 2))
    scores[max(0, y - reach_y):y + reach_y + 1, max(0, x - reach_x):x + reach_x + 1] = -1


def _place(scores):
    top, left = np.unravel_index(scores.argmax(), scores.shape)
    return int(left) * STEP, int(top) * STEP
