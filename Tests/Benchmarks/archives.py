#!/usr/bin/env python3
"""Rendering time of archives by their formats: seconds of a core per photo, and hours per million.

usage: archives.py [--photos 1000000] [--megapixels 24] [--nodes N --cores M] [--mix "FILE=SHARE;…"] [--check]

The times are those of whole photos in the page "Decoding", so that they are measured in one place. Prints the table
of "Capacity" for some typical archives; `--mix "CR2, two components=70;CR3, lossless=30"` selects another one, by the
page's names, and `--nodes 4 --cores 16` other clusters. `--check` compares Capacity's table with the result.
Rendering only: Capacity lists the other needs of a cluster."""
import argparse
import pathlib
import re
import sys

PAGES = pathlib.Path(__file__).resolve().parents[2] / "Sources/Programs/rawmill/Documentation.docc"
MEGAPIXELS = 24
CLUSTERS = [(1, 8), (1, 32), (4, 32)]

# Fractions of the photos.
ARCHIVES = {
    "Canon: CR2, CR3, C-RAW": {"CR2, two components": 60, "CR3, lossless": 25, "CR3, lossy, steps of an EOS M50": 15},
    "Nikon and Sony": {
        "NEF, lossless, 14 bits": 40, "NEF, lossy, 12 bits, one code": 10, "ARW, compressed in blocks": 35, "ARW, 14 bits in 16": 15},
    "Fujifilm, X-Trans": {"RAF, compressed, 14 bits, X-Trans": 80, "RAF, 14 bits, X-Trans": 20},
    "DNG of Adobe's converter": {"DNG, tiles with a table for each component, as Adobe's encoder writes them": 100},
    "DNG, a fifth of it of three colours or lossy": {
        "DNG, tiles with a table for each component, as Adobe's encoder writes them": 80,
        "DNG of three colours, a table for each": 10, "DNG, lossy JPEG of three colours": 10},
    "mixed": {
        "CR2, two components": 30, "CR3, lossless": 10, "NEF, lossless, 14 bits": 20, "ARW, compressed in blocks": 15,
        "DNG, tiles with a table for each component, as Adobe's encoder writes them": 10,
        "RAF, compressed, 14 bits, X-Trans": 5, "ORF, compressed": 5, "RW2, format 5, 12 bits": 5},
}


def page(name):
    return next(PAGES.rglob(f"{name}.md")).read_text()


def measured():
    """Milliseconds of a whole photo by file name: those of the first row of Decoding's table, times the ratio of each
    other row. Rows were measured in several runs, and the speed of machines varies."""
    rows = (line.strip("|").split("|") for line in page("Decoding").splitlines() if line.startswith("|"))
    cells = [[cell.strip() for cell in row] for row in rows]
    measured = [row for row in cells if len(row) == 5 and re.fullmatch(r"[\d,]+", row[3])]
    first = float(measured[0][3])
    return {row[0]: first * float(row[4]) for row in measured}


def seconds(mix, files):
    """Seconds of a core per photo."""
    unknown = [name for name in mix if name not in files]
    if unknown:
        raise SystemExit(f"Decoding.md has no whole photo of: {'; '.join(unknown)}. It has: {'; '.join(files)}")
    return sum(files[name] * share for name, share in mix.items()) / sum(mix.values()) / 1000


def table(archives, clusters, photos, megapixels):
    heads = [f"{cores} cores" if nodes == 1 else f"{nodes} × {cores} cores" for nodes, cores in clusters]
    rows = ["| archive | seconds of a core for a photo | " + " | ".join(heads) + " |", "|---" * (len(clusters) + 2) + "|"]
    files = measured()
    for name, mix in archives.items():
        cost = seconds(mix, files) * megapixels / MEGAPIXELS
        hours = [cost * photos / 3600 / nodes / cores for nodes, cores in clusters]
        shown = (f"{hour:.2f} h" if hour < 1 else f"{hour:.1f} h" for hour in hours)
        rows.append(f"| {name} | {cost:.2f} | " + " | ".join(shown) + " |")
    return rows


def mix_of(words):
    pairs = (word.rsplit("=", 1) for word in words.split(";"))
    return {name.strip(): float(share) for name, share in pairs}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--photos", type=float, default=1e6)
    options.add_argument("--megapixels", type=float, default=MEGAPIXELS)
    options.add_argument("--nodes", type=int)
    options.add_argument("--cores", type=int, default=32)
    options.add_argument("--mix", type=mix_of)
    options.add_argument("--check", action="store_true")
    given = options.parse_args()
    archives = {"this mix": given.mix} if given.mix else ARCHIVES
    clusters = [(given.nodes, given.cores)] if given.nodes else CLUSTERS
    rows = table(archives, clusters, given.photos, given.megapixels)
    if not given.check:
        return print("\n".join(rows))
    lines = page("Capacity").splitlines()
    for row in rows:
        if row not in lines:
            print(f"Capacity.md lacks, of Decoding.md: {row}", file=sys.stderr)
    return sys.exit(any(row not in lines for row in rows))


if __name__ == "__main__":
    main()
