"""One RAW developed by Rawmill, by the peers and by the camera: a JPEG of each, or the reason for its absence.

All use quality 95; the peers use full chroma and their default settings."""
import glob
import os
import shutil
import subprocess

import ours
import peers

QUALITY = 95
OURS, DARKER, CAMERA = "Rawmill", "Rawmill at -2 stops", "camera"
PEERS = {"dcraw_emu": "dcraw_emu AHD + cjpeg", "RawTherapee": "rawtherapee-cli", "darktable": "darktable-cli"}
#: Time limit of a program per photo.
SECONDS = 300


def develop(program, raw, out, jobs):
    """By contender's name: the path of its picture, or None, and the reason."""
    os.makedirs(out, exist_ok=True)
    found = {OURS: _rawmill(program, raw, out, jobs, OURS),
             DARKER: _rawmill(program, raw, out, jobs, DARKER, "--exposure", "-2")}
    commands = {name: (installed, command) for name, installed, command in peers.available(QUALITY, True)}
    for name, wanted in PEERS.items():
        installed, command = commands[wanted]
        found[name] = _kept(raw, out, name, lambda work, c=command: peer(c, raw, work, jobs)) if installed \
            else (None, "not installed")
    found[CAMERA] = _kept(raw, out, CAMERA, lambda work: _preview(raw, work)) if shutil.which("simple_dcraw") \
        else (None, "simple_dcraw, which takes it out, is not installed")
    return found


def _rawmill(program, raw, out, jobs, name, *more):
    work = _emptied(out, name)
    command = ours.command(program, os.path.dirname(_copy(raw, work)), work, jobs, "neutral", QUALITY, *more)
    done = subprocess.run(command, capture_output=True, text=True)
    for event in ours.events(done.stdout, "completed"):
        target = os.path.join(out, f"{name}.jpg")
        shutil.copy(event["photo"], target)
        shutil.rmtree(work)
        return target, event["degraded"] and f"degraded: {event['degraded']}"
    shutil.rmtree(work)
    reasons = [f"{event['reason']}: {event['message']}" for event in ours.events(done.stdout, "failed")]
    return None, " ".join(reasons) or _last_line(done.stderr) or "not taken for a RAW"


def _kept(raw, out, name, make):
    """A peer's picture does not change: an earlier run's, or a new one."""
    target = os.path.join(out, f"{name}.jpg")
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(raw):
        work = _emptied(out, name)
        try:
            made, reason = make(work)
            if made is None:
                return None, reason
            os.replace(made, target)
        finally:
            shutil.rmtree(work)
    return target, None


def peer(command, raw, work, jobs):
    # A separate home folder, without settings.
    home = os.path.join(work, "home")
    done = _run(command([_copy(raw, work)], work, jobs), env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home})
    made = [path for path in glob.glob(os.path.join(glob.escape(work), "*.jpg")) if os.path.getsize(path) > 0]
    return (made[0], None) if made else (None, _last_line(done) or "no picture")


def _preview(raw, work):
    """The largest picture LibRaw finds in the file, as a JPEG."""
    said = _run(["simple_dcraw", "-e", _copy(raw, work)])
    for path in glob.glob(os.path.join(glob.escape(work), "raws", "*.thumb.*")):
        if path.endswith(".jpg"):
            return path, None
        target = os.path.join(work, "preview.jpg")
        with open(target, "wb") as f:
            subprocess.run(["cjpeg", "-quality", str(QUALITY), "-sample", "1x1", path], stdout=f, check=True)
        return target, None
    return None, "no preview in the file" if not said or "No thumbnail" in said else _last_line(said)


def _run(command, **options):
    """The last line of its standard error."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=SECONDS, **options)
    except subprocess.TimeoutExpired:
        return f"given up after {SECONDS} seconds"
    return done.stderr if done.returncode or done.stderr else ""


def _emptied(out, name):
    work = os.path.join(out, name + ".work")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    return work


def _copy(raw, work):
    """Links the file under a plain name in a separate folder: programs write beside the file, and read files there.
    Rawmill follows no links."""
    path = os.path.join(work, "raws", "photo" + os.path.splitext(raw)[1])
    os.makedirs(os.path.dirname(path))
    shutil.copyfile(raw, path)
    return path


def _last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip() and "are you running" not in line]
    return lines[-1][:200] if lines else ""
