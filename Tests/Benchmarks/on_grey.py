"""A copy of a DNG with white balance on a chart's grey patch, so that every program starts from the same white."""
import shutil
import subprocess

import numpy as np

import checker


def possible():
    return all(shutil.which(program) for program in ("dcraw_emu", "exiftool"))


def write(path, corners, target):
    """`corners`: see `checker.centres`."""
    done = subprocess.run(["dcraw_emu", "-r", "1", "1", "1", "1", "-o", "0", "-4", "-Z", "-", path], check=True,
                          capture_output=True)
    # A 16-bit PPM: three numbers, and big-endian samples.
    _, width, height, _ = done.stdout[:40].split(maxsplit=4)[:4]
    shape = int(height), int(width), 3
    samples = np.frombuffer(done.stdout[-int(np.prod(shape)) * 2:], ">u2").reshape(shape)
    x, y = list(checker.centres(corners))[checker.GREY]
    half = checker.MEASURED // 2
    grey = samples[int(y) - half:int(y) + half, int(x) - half:int(x) + half].mean((0, 1))
    shutil.copyfile(path, target)
    neutral = " ".join(f"{v:.6f}" for v in grey / grey[1])
    subprocess.run(["exiftool", "-q", "-overwrite_original", f"-IFD0:AsShotNeutral={neutral}", target], check=True)
    return target
