"""Aligns a picture with another of the same scene: programs mirror, rotate and crop differently, and previews are
smaller."""
import numpy as np
from PIL import Image

COARSE, FINE = 256, 1024
ORIENTATIONS = [None, *Image.Transpose]
#: Fraction of the reference's long edge; programs cut off less.
MAX_SHIFT = 0.08
#: Pictures with a lower correlation are of different scenes.
MIN_LIKENESS = 0.4


class Aligned:
    """A picture whose parts are addressed by the reference's coordinates."""

    def __init__(self, picture, scale=1.0, x=0.0, y=0.0, orientation=None, likeness=1.0):
        """`scale`: pixels of the picture per pixel of the reference; `x`, `y`: the reference's origin in the picture."""
        self.picture, self.scale, self.x, self.y = picture, scale, x, y
        self.orientation, self.likeness = orientation, likeness

    def part(self, left, top, width, height, zoom=1.0):
        """The reference's rectangle, magnified `zoom` times; black outside of the picture."""
        size = round(width * zoom), round(height * zoom)
        box = np.array([left, top, left + width, top + height]) * self.scale + [self.x, self.y, self.x, self.y]
        box = np.where(np.abs(box - np.rint(box)) < 0.02, np.rint(box), box)
        inside = np.clip(box, 0, [*self.picture.size, *self.picture.size])
        ratio = size[0] / (box[2] - box[0])
        place = np.rint((inside - np.tile(box[:2], 2)) * ratio).astype(int)
        out = Image.new("RGB", size)
        if min(place[2:] - place[:2]) > 0:
            out.paste(self.picture.resize(tuple(place[2:] - place[:2]), Image.BICUBIC, tuple(inside)), tuple(place[:2]))
        return out

    def part_like(self, other, left, top, width, height):
        """The rectangle at 1:1, shifted by the few pixels that match `other`'s part best: lenses are corrected
        differently."""
        reach = 16
        wanted = _edges(np.asarray(other.part(left, top, width, height).convert("L"), np.float32))
        wide = self.part(left - reach, top - reach, width + 2 * reach, height + 2 * reach)
        found = _edges(np.asarray(wide.convert("L"), np.float32))
        likeness, dx, dy = _best_shift(np.pad(wanted, reach), found, reach)
        if likeness < MIN_LIKENESS:
            dx = dy = 0
        return wide.crop((reach - dx, reach - dy, reach - dx + width, reach - dy + height))


def align(picture, reference):
    """Aligns `picture` with `reference`; None without a match."""
    best = None
    for orientation in ORIENTATIONS:
        turned = picture if orientation is None else picture.transpose(orientation)
        ratios = [turned.width / reference.width, turned.height / reference.height]
        if not 0.8 < ratios[0] / ratios[1] < 1.25:
            continue
        scales = {1.0, *ratios} if 0.85 < ratios[0] < 1.15 else set(ratios)
        for scale in scales:
            likeness, x, y = _offset(turned, reference, scale, 0, 0, COARSE, MAX_SHIFT)
            # A rotated match must be clearly better than an unrotated one.
            score = likeness + (0.03 if orientation is None else 0)
            if best is None or score > best[0]:
                best = score, likeness, turned, scale, x, y, orientation
    if best is None or best[1] < MIN_LIKENESS:
        return None
    _, _, turned, scale, x, y, orientation = best
    likeness, x, y = _offset(turned, reference, scale, x, y, FINE, 0.012)
    return Aligned(turned, scale, x, y, orientation, likeness)


def _offset(picture, reference, scale, x, y, long_edge, max_shift):
    """Their similarity, and the reference's origin in the picture, near (x, y)."""
    zoom = min(1, long_edge / max(reference.size))
    small = [np.asarray(Aligned(p, s, *o).part(0, 0, *reference.size, zoom).convert("L"), np.float32)
             for p, s, o in [(reference, 1, (0, 0)), (picture, scale, (x, y))]]
    likeness, dx, dy = _best_shift(*small, max(2, int(max_shift * long_edge)))
    return likeness, x - dx / zoom * scale, y - dy / zoom * scale


def _best_shift(a, b, reach):
    """Correlation of two pictures at the best shift of `b` by (dx, dy)."""
    a, b = a - a.mean(), b - b.mean()
    shape = [n + 2 * reach for n in a.shape]
    product = np.fft.irfft2(np.fft.rfft2(a, shape) * np.conj(np.fft.rfft2(b, shape)), shape)
    near = np.roll(product, (reach, reach), (0, 1))[:2 * reach + 1, :2 * reach + 1]
    dy, dx = np.unravel_index(near.argmax(), near.shape)
    norm = np.sqrt((a * a).sum() * (b * b).sum())
    return float(near[dy, dx] / norm) if norm > 0 else 0.0, int(dx) - reach, int(dy) - reach


def _edges(grey):
    grey = np.log1p(grey)
    return np.hypot(np.diff(grey, axis=1, append=grey[:, -1:]), np.diff(grey, axis=0, append=grey[-1:]))
