#!/usr/bin/env python3
"""A cataloguer's merge rate as its library grows: merging.py PROGRAMS FOLDER [ADDRESS]

PROGRAMS is the folder of `catalogue-benchmark` and `library-rates`, FOLDER one in memory or on the disk to measure,
ADDRESS a PostgreSQL database. Makes libraries of 10^4, 10^5 and 10^6 photos, with rows only, and merges 20,000
manifests into each. Prints a table.

merging.py --plot OUT.svg FIGURES.json draws such figures: {"title": …, "lines": {"name": [[photos, value], …]}, "unit": …}.
"""
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

SIZES = [10**4, 10**5, 10**6]
MERGED = 20_000
COLOURS = ["#c2410c", "#999999", "#1d4ed8", "#93c5fd"]


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found[1]) if found else math.nan


def measure(programs, folder, size, address):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for more in [[]] + ([address] if address else []):
        command = [programs / "library-rates", folder / "library", str(size), *([more] if more else [])]
        subprocess.run(command, check=True, capture_output=True)
    command = [programs / "catalogue-benchmark", folder, str(MERGED), *([address] if address else [])]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    shutil.rmtree(folder)
    return (number(r"at (\d+) a second", text), number(r"time: (\d+)", text), number(r"written: (\d+)", text),
            number(r"manifest, ([\d.]+) written", text))


def plot(out, figures):
    """A line for each name over the number of photos, with axes fitted to the figures, as SVG without a library."""
    width, height, left, top, right, bottom = 640, 360, 70, 40, 170, 50
    lines = figures["lines"]
    points = [point for line in lines.values() for point in line]
    low, high = (math.log10(f(x for x, _ in points)) for f in (min, max))
    most = max(y for _, y in points) * 1.1

    def place(x, y):
        return (left + (math.log10(x) - low) / (high - low) * (width - left - right),
                height - bottom - y / most * (height - top - bottom))

    def text(x, y, words, more=""):
        return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="13">', f'<rect width="{width}" height="{height}" fill="white"/>',
             text(left, 22, figures["title"], 'font-weight="bold"')]
    step = 10 ** math.floor(math.log10(most))
    step = next(step * f for f in (0.2, 0.5, 1, 2) if most / (step * f) <= 6)
    for index in range(int(most / step) + 1):
        x, y = place(10**low, index * step)
        parts += [f'<path d="M{left} {y:.0f}H{width - right}" stroke="#ddd"/>',
                  text(left - 6, y + 4, f"{index * step:,.0f}", 'text-anchor="end"')]
    for exponent in range(math.ceil(low), math.floor(high) + 1):
        x, y = place(10**exponent, 0)
        parts.append(text(x, y + 18, f"{10**exponent:,}", 'text-anchor="middle"'))
    parts.append(text((left + width - right) / 2, height - 10, "photos in the library", 'text-anchor="middle"'))
    for (name, line), colour in zip(lines.items(), COLOURS):
        spots = [place(*point) for point in sorted(line)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in spots]
        parts.append(text(spots[-1][0] + 10, spots[-1][1] + 4, name, f'fill="{colour}"'))
    pathlib.Path(out).write_text("\n".join(parts + ["</svg>", ""]))


def main():
    if sys.argv[1:2] == ["--plot"] and len(sys.argv) == 4:
        return plot(sys.argv[2], json.loads(pathlib.Path(sys.argv[3]).read_text()))
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    programs, folder = map(pathlib.Path, sys.argv[1:3])
    print("| photos | merged a second | processor, µs | bytes written | for one kept |\n|---|---|---|---|---|")
    for size in SIZES:
        rate, processor, written, ratio = measure(programs, folder, size, sys.argv[3] if len(sys.argv) == 4 else None)
        print(f"| {size:,} | {rate:,.0f} | {processor:.0f} | {written:,.0f} | {ratio:.1f} |", flush=True)


main()
