"""Pictures side by side: whole, at 1:1, and their highlights."""
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import colour
import figures
import regions

GAP, HEAD = 6, 22
WHOLE_WIDTH, WHOLE_COLUMNS = 560, 3
#: Size of the surroundings of the brightest place in the sheet of lights.
AROUND = 4


def whole(pictures):
    """Each whole picture, three per row."""
    cells = [(name, aligned.picture.resize(
        (WHOLE_WIDTH, round(aligned.picture.height * WHOLE_WIDTH / aligned.picture.width)), Image.BOX))
        for name, aligned in pictures.items()]
    rows = [cells[i:i + WHOLE_COLUMNS] for i in range(0, len(cells), WHOLE_COLUMNS)]
    return laid_out([("", row) for row in rows])


def crops(pictures, places):
    """A row for each place, at 1:1; a smaller preview is enlarged."""
    reference = next(iter(pictures.values()))
    rows = []
    for place, (left, top) in places.items():
        width, height = min(regions.WIDTH, reference.picture.width), min(regions.HEIGHT, reference.picture.height)
        rows.append((f"{place} at {left}, {top}",
                     [(name, aligned.part_like(reference, left, top, width, height) if aligned is not reference
                       else aligned.part(left, top, width, height)) for name, aligned in pictures.items()]))
    return laid_out(rows)


def lights(pictures, place):
    """Around the brightest place; the same with the colour of lights four times as strong, and everything else dark;
    and the mean of the top 1 to 5 per cent."""
    reference = next(iter(pictures.values()))
    left, top, width, height = regions.around(place, reference.picture.size, AROUND)
    parts = {name: aligned.part(left, top, width, height, regions.WIDTH / width) for name, aligned in pictures.items()}
    patches = {name: Image.new("RGB", (regions.WIDTH, 60), tuple(round(v) for v in _near_white(aligned)))
               for name, aligned in pictures.items()}
    return laid_out([(f"around {place[0]}, {place[1]}", list(parts.items())),
                   ("colour of the lights (L* above three quarters of p99), four times as strong",
                    [(name, _strengthened(part)) for name, part in parts.items()]),
                   ("mean of the pixels whose luma is in the top 1 to 5 per cent", list(patches.items()))])


def _near_white(aligned):
    pixels = np.asarray(figures.small(aligned.picture))
    return pixels[figures.near_white(pixels)[0]].mean(0)


def _strengthened(part):
    pixels = np.asarray(part).astype(np.float32)
    grey = figures.luma(pixels)[..., None]
    light = figures.light(colour.lab_of_picture(np.asarray(part)))[..., None]
    # Around a fixed grey, because white cannot hold colour.
    shown = np.where(light, 170 + 4 * (pixels - grey), grey * 0.25)
    return Image.fromarray(np.clip(shown, 0, 255).astype(np.uint8))


def laid_out(rows):
    """Rows of (heading, [(name, picture)])."""
    heights = [max(picture.height for _, picture in row) + HEAD * (2 if heading else 1) for heading, row in rows]
    widths = [sum(picture.width + GAP for _, picture in row) - GAP for _, row in rows]
    sheet = Image.new("RGB", (max(widths), sum(heights) + GAP * (len(rows) - 1)), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    y = 0
    for height, (heading, row) in zip(heights, rows):
        below = y
        if heading:
            draw.text((4, y + 2), heading, "#a03000", font)
            below += HEAD
        x = 0
        for name, picture in row:
            draw.text((x + 4, below + 2), name, "black", font)
            sheet.paste(picture, (x, below + HEAD))
            x += picture.width + GAP
        y += height + GAP
    return sheet
