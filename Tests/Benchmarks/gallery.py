#!/usr/bin/env python3
"""Measures the gallery of a large library in Chromium: the time to its first photos, blank tiles in a scroll through
all of it, and the server's memory.

usage: gallery.py RAWMILL LIBRARY-RATES FOLDER [COUNT [EVERY]]
    the program; the library generator (Tests/Benchmarks/LibraryRates); a folder for the library, which is reused;
    default 100,000 photos; EVERY: look at every n-th screen (default all)

Selenium and Chromium as for the tests of the page. The rows are generated; every photo has the preview of one of
64 generated scenes.
"""
import os
import pathlib
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Programs/PageTests"))
from page_world import World, sample  # noqa: E402

RAWMILL, RATES, FOLDER = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
EVERY = int(sys.argv[5]) if len(sys.argv) > 5 else 1
SCENES = 64


class LargeWorld(World):
    def fill(self):
        self.library = FOLDER
        if not FOLDER.exists():
            begun = FOLDER.with_name(f"{FOLDER.name}.begun")
            subprocess.run([RATES, begun, str(COUNT)], check=True, stdout=subprocess.DEVNULL)
            begun.rename(FOLDER)
        if not (FOLDER / ".rawmill/previews").exists():
            self.make_previews()

    def make_previews(self):
        scenes = self.folder / "scenes"
        sample(self.raws, SCENES, 1, megapixels=1)
        subprocess.run([RAWMILL, "convert", self.raws, "--library", scenes, "--quiet"], check=True)
        pictures = sorted((scenes / ".rawmill/previews").rglob("*.jpg"))
        keys = sqlite3.connect(FOLDER / "library.sqlite").execute("SELECT hex(substr(key, 1, 32)) FROM renditions")
        for number, (key,) in enumerate(keys):
            name = key.lower()
            folder = FOLDER / ".rawmill/previews" / name[:2] / name[2:4]
            folder.mkdir(parents=True, exist_ok=True)
            if number < SCENES:
                (folder / f"{name}.jpg").write_bytes(pictures[number].read_bytes())
                pictures[number] = folder / f"{name}.jpg"
            else:
                os.link(pictures[number % SCENES], folder / f"{name}.jpg")

    def most_bytes(self):
        """The server's peak memory in bytes."""
        for line in pathlib.Path(f"/proc/{self.server.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024


# Visible tiles, and those of them without a name or picture.
SHOWN = """[...document.querySelectorAll(".cell")].filter((cell) => {
    const [tile, grid] = [cell.getBoundingClientRect(), document.querySelector(".grid").getBoundingClientRect()];
    return tile.bottom > grid.top && tile.top < grid.bottom;
})"""
BLANK = """shown.filter((cell) => cell.classList.contains("empty-cell") || !cell.querySelector("img").classList.contains("there")
    || !cell.querySelector(".name").textContent).map((cell) => cell.dataset.index)"""
SETTLE = f"""
const [top, done] = arguments;
const grid = document.querySelector(".grid");
const begun = performance.now();
grid.scrollTop = top;
const look = () => {{
    const shown = {SHOWN};
    const blank = {BLANK};
    const cells = shown.length;
    const milliseconds = performance.now() - begun;
    if (cells > 0 && blank.length === 0 && milliseconds > 30 || milliseconds > 10000) done([milliseconds, blank, cells]);
    else setTimeout(look, 10);
}};
requestAnimationFrame(() => requestAnimationFrame(look));
"""


def main():
    world = LargeWorld()
    try:
        world.load("#/gallery")
        world.wait("document.querySelectorAll('.cell img.there').length >= 6")
        paints = []
        for _ in range(5):
            world.kill()
            world.start()
            world.load("#/gallery")
            first = world.wait("document.querySelectorAll('.cell img.there').length >= 6 && performance.now()")
            paints.append((world.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime"), first))
        world.wait(f"document.querySelector('.number').textContent.startsWith('{world.get('/v1/photos/count')['count']:,}')")
        paint, first = (sorted(column)[2] for column in zip(*paints))
        print(f"first paint {paint:.0f} ms, first photos {first:.0f} ms (medians of five starts of the server)")
        # A large display: about a hundred tiles at once.
        world.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 2560, "height": 1600, "deviceScaleFactor": 1, "mobile": False})
        world.wait("innerWidth === 2560")
        tall, high = world.run("const grid = document.querySelector('.grid'); return [grid.scrollHeight, grid.clientHeight]")
        begun = time.monotonic()
        times, holes, tiles = [], [], 0
        top = 0
        while True:
            milliseconds, blank, cells = world.browser.execute_async_script(SETTLE, top)
            times.append(milliseconds)
            holes += blank
            tiles += cells
            if top >= tall - high:
                break
            if len(times) % 100 == 0:
                print(f"  {100 * top / tall:.0f} %", file=sys.stderr)
            top = min(top + high * 0.9 * EVERY, tall - high)
        times.sort()
        print(f"{len(times)} screens scrolled through in {time.monotonic() - begun:.0f} s: each whole after {times[len(times) // 2]:.0f} ms (median), "
              f"{times[len(times) * 99 // 100]:.0f} ms (p99), {times[-1]:.0f} ms at most; {len(holes)} of {tiles:,} tiles stayed blank")
        print(f"the server had {world.most_bytes() / 1e6:.0f} MB at most")
        problems = world.problems()
        if paint >= 1000 or holes or world.most_bytes() >= 200e6 or problems:
            sys.exit(f"gallery: not as promised {problems[:3]}")
    finally:
        world.stop()


main()
