#!/usr/bin/env python3
"""Visual comparison: a folder of RAWs developed by Rawmill, dcraw_emu, RawTherapee, darktable and the camera, side by
side with figures, as one HTML page and sheets in PNG.

usage: Tests/Benchmarks/compare FOLDER OUT [--rawmill PROGRAM] [--jobs 2] [--only WORDS] [--checker NAME=CORNERS] …
                                [--photos DIR | --no-synthetic]

FOLDER is searched with its subfolders. OUT receives index.html, sheets, figures.json and figures.md; the peers'
pictures stay in OUT/pictures, and a later run develops only Rawmill's again. Missing programs and unreadable files
are named on the page. `--checker IMG_1.dng=714,624,1251,615,703,931,1256,923` locates a ColorChecker by the centres
of the patches at the ends of the first row, then of the last one, in Rawmill's picture. A DNG with one is developed a
second time, with white balance on its light grey patch. `--only lamps,fusion` selects the rows whose names contain
one of the words.

Rows with known contents follow (scenes.py): a ColorChecker, a bright noon, lamps brighter than the sensor's limit,
the same through a lossy codec, the photos of a folder, and a generated sample.
holds, the same through a lossy codec, the photos of a folder, and a generated sample."""
import argparse
import json
import os
import shutil

import numpy as np
from PIL import Image, ImageOps

import checker
import contenders
import figures
import on_grey
import page
import regions
import scenes
import sheets
from alignment import Aligned, align

HERE = os.path.dirname(os.path.abspath(__file__))
SHEETS = {"whole": "Whole", "crops": "Places at 1:1", "lights": "Lights"}
ORIGINAL = "the photo it was made of"


def arguments():
    options = argparse.ArgumentParser()
    options.add_argument("folder")
    options.add_argument("out")
    options.add_argument("--rawmill", default=os.path.join(HERE, "../../.build/rawmill/bin/rawmill"))
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--only", type=lambda words: words.lower().split(","), default=[""])
    options.add_argument("--checker", action="append", default=[], type=_checker, metavar="NAME=CORNERS")
    options.add_argument("--photos", default=os.path.join(HERE, "../../../shared/photos"))
    options.add_argument("--no-synthetic", dest="synthetic", action="store_false")
    return options.parse_args()


def _checker(text):
    name, _, corners = text.rpartition("=")
    corners = [float(v) for v in corners.split(",")]
    if not name or len(corners) != 8:
        raise argparse.ArgumentTypeError("give NAME=x,y,x,y,x,y,x,y")
    return name, corners


def rows_of(given, scratch):
    """Name, path, original picture, corners of a chart."""
    charts = dict(given.checker)
    for folder, _, names in sorted(os.walk(given.folder)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.lower().endswith((".md", ".txt", ".xmp", ".pp3")):
                continue
            yield os.path.relpath(path, given.folder), path, None, charts.get(name)
            if name in charts and name.lower().endswith(".dng") and on_grey.possible():
                balanced = on_grey.write(path, charts[name], os.path.join(scratch, f"{name[:-4]}-on-grey.dng"))
                yield f"{name[:-4]}, on grey", balanced, None, charts[name]
    if given.synthetic:
        for name, path, photo, corners in scenes.write(os.path.abspath(given.rawmill), given.photos,
                                                       os.path.join(scratch, "synthetic")):
            yield f"synthetic {name}", path, photo, corners


def compare(given, name, raw, original, corners):
    """One row: figures, notes and sheets."""
    plain = name.replace(os.sep, "-").replace(" ", "-").replace(",", "")
    row = {"name": name, "figures": {}, "notes": [], "sheets": {}}
    developed = contenders.develop(os.path.abspath(given.rawmill), raw, os.path.join(given.out, "pictures", plain),
                                   given.jobs)
    pictures = {}
    for contender, (path, reason) in developed.items():
        if reason:
            row["notes"].append(f"{contender}: {reason}")
        if path:
            pictures[contender] = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    if original is not None:
        pictures[ORIGINAL] = Image.fromarray(original)
    if not pictures:
        return row
    reference = Aligned(next(iter(pictures.values())))
    laid = {}
    for contender, picture in pictures.items():
        aligned = reference if picture is reference.picture else align(picture, reference.picture)
        if aligned is None:
            row["notes"].append(f"{contender}: does not lie over the first picture, so it is not in the details")
        elif aligned.orientation is not None:
            row["notes"].append(f"{contender}: turned here by {aligned.orientation.name} to lie over the first picture")
        laid[contender] = aligned or Aligned(picture, likeness=0.0)
        row["figures"][contender] = figures.measure(picture).dictionary()
        if corners and aligned:
            light = checker.means(corners, lambda *box, a=aligned: np.asarray(a.part(*box)))
            row["figures"][contender]["chart"] = checker.distance(light)
    fitting = {contender: aligned for contender, aligned in laid.items() if aligned.likeness > 0}
    normal = {contender: aligned for contender, aligned in fitting.items() if contender != contenders.DARKER}
    places = regions.choose(reference, [fitting[peer] for peer in contenders.PEERS if peer in fitting])
    made = {"whole": sheets.whole(laid), "crops": sheets.crops(normal, places),
            "lights": sheets.lights(fitting, places.get("brightest", (0, 0)))}
    for kind, sheet in made.items():
        row["sheets"][kind] = f"{plain}-{kind}.png"
        sheet.save(os.path.join(given.out, row["sheets"][kind]))
    return row


def main():
    given = arguments()
    os.makedirs(given.out, exist_ok=True)
    scratch = os.path.join(given.out, "raws")
    os.makedirs(scratch, exist_ok=True)
    needed = ["rawtherapee-cli", "darktable-cli", "dcraw_emu", "simple_dcraw", "cjpeg", "exiftool"]
    missing = [program for program in needed if shutil.which(program) is None]
    heading = [f"Developed with quality {contenders.QUALITY}; peers with the settings they come with."]
    heading += [f"Not installed: {', '.join(missing)}."] if missing else []
    rows = []
    for name, *row in rows_of(given, scratch):
        if not any(word in name.lower() for word in given.only):
            continue
        rows.append(compare(given, name, *row))
        print(page.markdown(rows[-1:]), flush=True)
        # After each row, so that an interrupted run leaves a page.
        page.write(os.path.join(given.out, "index.html"), heading, rows, SHEETS)
        with open(os.path.join(given.out, "figures.json"), "w") as f:
            json.dump(rows, f, indent=1)
        with open(os.path.join(given.out, "figures.md"), "w") as f:
            f.write(page.markdown(rows))


if __name__ == "__main__":
    main()
