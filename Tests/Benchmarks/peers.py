"""Rawmill's peers: each converts a list of RAWs to JPEG on N cores, for throughput with quality 90 and 4:2:0, for
visual comparison with full chroma.

None of them applies a film look. Missing ones are left out, and named."""
import importlib.util
import multiprocessing
import os
import shlex
import shutil
import sys


def _each(files, jobs, script):
    """A shell command line per file, `jobs` at a time, as users do today."""
    listing = "\\0".join(shlex.quote(f)[1:-1] if f.startswith("'") else f for f in files)
    return ["sh", "-c", f"printf '{listing}' | xargs -0 -P {jobs} -n 1 sh -c {shlex.quote(script)} sh"]


def dcraw(interpolation, quality, full_chroma):
    def command(files, out, jobs):
        script = (f'dcraw_emu -w -q {interpolation} -Z - "$1" '
                  f'| cjpeg -quality {quality} -sample {"1x1" if full_chroma else "2x2"} '
                  f'> {shlex.quote(out)}/$(basename "$1").jpg')
        return _each(files, jobs, script)
    return command


def rawtherapee(quality, full_chroma):
    # It uses all cores for one photo; a second process would only use memory.
    return lambda files, out, jobs: [
        "taskset", "-c", f"0-{jobs - 1}", "rawtherapee-cli", "-o", out, f"-j{quality}", f"-js{3 if full_chroma else 1}",
        "-Y", "-d", "-c", *files]


def darktable(quality):
    """It keeps full chroma above quality 92."""
    return lambda files, out, jobs: [
        "taskset", "-c", f"0-{jobs - 1}", "darktable-cli", os.path.dirname(files[0]), out, "--out-ext", "jpg",
        "--core", "--configdir", os.path.join(out, "config"), "--library", ":memory:",
        "--conf", f"plugins/imageio/format/jpeg/quality={quality}"]


def python(name):
    return lambda files, out, jobs: [sys.executable, __file__, name, out, str(jobs), *files]


def available(quality=90, full_chroma=False):
    """Name, whether its requirements are installed, and the command. The peers from PyPI have quality 90."""
    def program(name):
        return shutil.which(name) is not None

    def module(*names):
        return all(importlib.util.find_spec(n) for n in names)

    return [
        ("flashraw (bilinear) + TurboJPEG", module("flashraw", "turbojpeg"), python("flashraw")),
        ("rawpy linear + TurboJPEG", module("rawpy", "turbojpeg"), python("rawpy")),
        ("dcraw_emu PPG + cjpeg", program("dcraw_emu") and program("cjpeg"), dcraw(2, quality, full_chroma)),
        ("dcraw_emu AHD + cjpeg", program("dcraw_emu") and program("cjpeg"), dcraw(3, quality, full_chroma)),
        ("rawtherapee-cli", program("rawtherapee-cli"), rawtherapee(quality, full_chroma)),
        ("darktable-cli", program("darktable-cli"), darktable(quality)),
    ]


def _flashraw(job):
    import flashraw
    from turbojpeg import TJPF_RGBX, TJSAMP_420, TurboJPEG
    path, out = job
    pixels = flashraw.imread(path, "rgba8", threads=1)
    with open(out, "wb") as f:
        f.write(TurboJPEG().encode(pixels, quality=90, pixel_format=TJPF_RGBX, jpeg_subsample=TJSAMP_420))


def _rawpy(job):
    import rawpy
    from turbojpeg import TJPF_RGB, TJSAMP_420, TurboJPEG
    path, out = job
    with rawpy.imread(path) as raw:
        pixels = raw.postprocess(use_camera_wb=True, no_auto_bright=True,
                                 demosaic_algorithm=rawpy.DemosaicAlgorithm.LINEAR)
    with open(out, "wb") as f:
        f.write(TurboJPEG().encode(pixels, quality=90, pixel_format=TJPF_RGB, jpeg_subsample=TJSAMP_420))


if __name__ == "__main__":
    name, out, jobs, *files = sys.argv[1:]
    work = [(f, os.path.join(out, os.path.basename(f) + ".jpg")) for f in files]
    with multiprocessing.Pool(int(jobs)) as pool:
        pool.map({"flashraw": _flashraw, "rawpy": _rawpy}[name], work, chunksize=1)
