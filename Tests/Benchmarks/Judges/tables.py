"""Compares colours of Rawmill's tables with those of colour-science (PyPI).

usage: tables.py ENGINE-BENCHMARK      (the program of `swift build --product engine-benchmark`)

Uses random tables of each kind with 10,000 random colours each. colour-science interpolates in tetrahedra and, for
comparison, trilinearly, which Rawmill does not: the distance of both shows the effect of the choice. Differences are
in 255ths.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import colour
import numpy as np
import PIL.Image

COUNT = 10_000
tetrahedral = colour.algebra.table_interpolation_tetrahedral
trilinear = colour.algebra.table_interpolation_trilinear


def smooth(colours, random):
    """A look as from grading: a matrix, a curve and a cast."""
    mix = np.eye(3) + random.normal(0, 0.08, (3, 3))
    return np.clip(np.clip(colours @ mix.T, 0, 1) ** random.uniform(0.7, 1.4, 3) + random.normal(0, 0.02, 3), 0, 1)


def grid(size):
    axis = np.linspace(0, 1, size)
    blue, green, red = np.meshgrid(axis, axis, axis, indexing="ij")
    return np.stack([red, green, blue], -1).reshape(-1, 3)


def table(points, size, domain=None):
    """Red is the first axis in colour-science's tables."""
    cube = points.reshape(size, size, size, 3).transpose(2, 1, 0, 3)
    return colour.LUT3D(cube, "x", domain=domain)


def text(rows):
    return "".join(" ".join(f"{v:.7f}" for v in row) + "\n" for row in rows)


def ours(program, folder, name, content, colours):
    file = folder / name
    file.write_bytes(content)
    (folder / "in.f32").write_bytes(colours.astype("<f4").tobytes())
    subprocess.run([program, "look", file, folder / "in.f32", folder / "out.f32"], check=True)
    return np.frombuffer((folder / "out.f32").read_bytes(), "<f4").reshape(-1, 3)


def hald(points, bits, folder):
    side = round(len(points) ** 0.5)
    white = 2**bits - 1
    codes = np.round(points * white)
    file = folder / "hald-out.png"
    if bits == 8:
        PIL.Image.fromarray(codes.astype("uint8").reshape(side, side, 3)).save(file)
    else:
        header = struct.pack(">IIBBBBB", side, side, 16, 2, 0, 0, 0)
        rows = np.zeros((side, 1 + 6 * side), "u1")
        rows[:, 1:] = codes.astype(">u2").reshape(side, -1).view("u1")
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
        file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks))
    return file.read_bytes(), codes / white


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    random = np.random.default_rng(7)
    colours = random.random((COUNT, 3)).astype("f4").astype("f8")
    say = lambda name, difference: print(f"{name:44} {np.abs(difference).max() * 255:10.5f}")
    print(f"{'largest difference of 10,000 colours':44} {'255ths':>10}")
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        for size in (2, 17, 33, 65):
            for kind, points in (("random", random.random((size**3, 3))), ("smooth", smooth(grid(size), random))):
                rows = np.round(points, 7)
                found = ours(program, folder, "a.cube", f"LUT_3D_SIZE {size}\n{text(rows)}".encode(), colours)
                lut = table(rows, size)
                say(f"3-D, {size} points, {kind}", found - lut.apply(colours, interpolator=tetrahedral))
                say(f"  trilinear instead", found - lut.apply(colours, interpolator=trilinear))
        size, domain = 17, np.array([[-0.25, 0, 0.1], [1, 1.5, 0.9]])
        rows = np.round(random.random((size**3, 3)), 7)
        head = "DOMAIN_MIN -0.25 0 0.1\nDOMAIN_MAX 1 1.5 0.9\n"
        found = ours(program, folder, "a.cube", f"{head}LUT_3D_SIZE {size}\n{text(rows)}".encode(), colours)
        clamped = np.clip(colours, domain[0], domain[1])
        say("3-D with a domain", found - table(rows, size, domain).apply(clamped, interpolator=tetrahedral))
        curves = np.round(np.sort(random.random((1024, 3)), 0), 7)
        found = ours(program, folder, "a.cube", f"LUT_1D_SIZE 1024\n{text(curves)}".encode(), colours)
        lut = colour.LUT3x1D(curves)
        say("1-D, 1024 points", found - lut.apply(colours))
        rows = np.round(smooth(grid(33), random), 7)
        content = f"LUT_1D_SIZE 1024\nLUT_3D_SIZE 33\n{text(curves)}{text(rows)}".encode()
        found = ours(program, folder, "a.cube", content, colours)
        say("shaper and 3-D", found - table(rows, 33).apply(lut.apply(colours), interpolator=tetrahedral))
        for level in (3, 6, 8):
            for bits in (8, 16):
                content, points = hald(smooth(grid(level**2), random), bits, folder)
                found = ours(program, folder, "a.png", content, colours)
                lut = table(points, level**2)
                say(f"Hald of level {level}, {bits} bits", found - lut.apply(colours, interpolator=tetrahedral))
        for name, content in (
            ("identity .cube", f"LUT_3D_SIZE 33\n{text(grid(33))}".encode()),
            ("identity Hald, 16 bits", hald(grid(64), 16, folder)[0]),
            ("identity Hald, 8 bits", hald(grid(64), 8, folder)[0]),
        ):
            say(name, ours(program, folder, "a.png" if "Hald" in name else "a.cube", content, colours) - colours)


main()
