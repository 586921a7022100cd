"""Writes the documentation page of each built-in look, with a picture: three generated scenes with and without the
look, and its effect on greys.

usage: look_pages.py RAWMILL      (the program; everything else is made in a temporary folder)
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import PIL.Image
import PIL.ImageDraw

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = HERE.parent.parent / "Sources/Programs/rawmill/Documentation.docc"
SCENES, EDGE, GAP, PLOT = 3, 272, 8, 182
COLOURS = ((225, 60, 50), (40, 170, 70), (60, 110, 240))


def run(program, *words, folder):
    return subprocess.run([program, *map(str, words)], cwd=folder, check=True, capture_output=True, text=True).stdout


def greys(program, look, folder):
    """The result for each grey, by the table for other programs."""
    file = folder / f"{look}.cube"
    run(program, "looks", "export", look, "-o", file, folder=folder)
    rows = [line.split() for line in file.read_text().splitlines() if line[:1].isdigit()]
    table = np.array(rows, float).reshape(33, 33, 33, 3)
    return np.array([table[i, i, i] for i in range(33)])


def plot(curves):
    """Plots the look's red, green and blue over greys of the finished picture."""
    scale = 3
    side = PLOT * scale
    picture = PIL.Image.new("RGB", (side, side), (28, 28, 28))
    draw = PIL.ImageDraw.Draw(picture)
    for i in range(5):
        at = round(i * (side - 1) / 4)
        draw.line([(at, 0), (at, side)], (60, 60, 60), scale)
        draw.line([(0, at), (side, at)], (60, 60, 60), scale)
    draw.line([(0, side - 1), (side - 1, 0)], (95, 95, 95), scale)
    same = np.abs(curves - curves[:, :1]).max() < 0.004
    for channel, colour in enumerate(COLOURS):
        points = [(x * (side - 1) / 32, (1 - y) * (side - 1)) for x, y in enumerate(curves[:, channel])]
        draw.line(points, (225, 225, 225) if same else colour, 2 * scale)
    return picture.resize((PLOT, PLOT), PIL.Image.Resampling.LANCZOS)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        listed = run(program, "looks", "list", "--json", folder=folder).splitlines()
        looks = {}
        for look in map(json.loads, listed):
            if "sha256" in look and not look.get("own"):
                looks[look["name"]] = look  # The newest version comes last.
        run(program, "sample", "--out", "raws", "--count", SCENES, "--megapixels", 2, folder=folder)
        words = [w for name in looks for w in ("--look", name)]
        run(program, "convert", "raws", "--out", "out", "--state", "state", "--name", "{look}/{base}", "--format", "png",
            "--long-edge", EDGE, "--quiet", *words, folder=folder)
        pages = DOCUMENTS / "Guide/Looks"
        pages.mkdir(exist_ok=True)
        pictures = DOCUMENTS / "Resources/Looks"
        pictures.mkdir(exist_ok=True)
        frames = lambda name: [PIL.Image.open(p).convert("RGB") for p in sorted((folder / "out" / name).iterdir())]
        plain = frames("neutral")
        for name, look in looks.items():
            rows = [plain, frames(name)] if name != "neutral" else [plain]
            height = plain[0].size[1]
            width = SCENES * (EDGE + GAP) + (PLOT if name != "neutral" else -GAP)
            sheet = PIL.Image.new("RGB", (width, len(rows) * (height + GAP) - GAP), (255, 255, 255))
            for y, row in enumerate(rows):
                for x, frame in enumerate(row):
                    sheet.paste(frame, (x * (EDGE + GAP), y * (height + GAP)))
            if name != "neutral":
                sheet.paste(plot(greys(program, name, folder)), (SCENES * (EDGE + GAP), 0))
            sheet.save(pictures / f"look-{name}.jpg", quality=68, optimize=True, progressive=True)
            (pages / f"Look-{name}.md").write_text(page(look))
    print(f"{len(looks)} pages, {sum(p.stat().st_size for p in pictures.iterdir()) / 1e3:.0f} kB of pictures")


def page(look):
    name = look["name"]
    film = look["input"] == "scene-linear"
    parts = [f"# {name}", look["summary"], "## Overview"]
    if name == "neutral":
        parts.append(f"![Three generated scenes](look-{name}.jpg)")
        parts.append("The default look. Pages of other looks show it in the top row.")
    else:
        parts.append(f"![Three scenes without and with {name}, and its curves](look-{name}.jpg)")
        parts.append("A film with grain and halation (<doc:Looks>)." if film else "A look on the finished colours (<doc:Looks>).")
    usage = f"rawmill convert raws --out jpegs --look {name}"
    if film:
        usage += f"\nrawmill convert raws --out jpegs --look '{name}(push=1,grain=0.5,halation=0,strength=0.8)'"
    elif name != "neutral":
        usage += f"\nrawmill convert raws --out jpegs --look '{name}(strength=0.5)'"
    parts.append(f"```\n{usage}\n```")
    parts.append(f"Version {look['version']}, SHA-256 `{look['sha256']}`.")
    return "\n\n".join(parts) + "\n"


main()
