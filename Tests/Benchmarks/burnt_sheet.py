#!/usr/bin/env python3
"""A sheet of burnt-out lights by Rawmill, RawTherapee and darktable, as exposed and two stops darker: the generated
scenes of burnt.py.

usage: burnt_sheet.py OUT.jpg [--rawmill PROGRAM]

All programs use their default settings except for the two stops. Needs numpy and Pillow, rawtherapee-cli and
darktable-cli."""
import argparse
import os
import struct
import tempfile

from PIL import Image

import burnt
import mosaic
import ours
import sheets
from measure import run

HERE = os.path.dirname(os.path.abspath(__file__))
WELL = 40_000
#: The shown part of each scene: left, top, right, bottom.
SHOWN = {"street": (40, 200, 1140, 780), "noon": (0, 0, 1180, 740)}
WIDTH = 380


def rawmill(program, raw, out, stops):
    done = run(ours.command(program, os.path.dirname(raw), out, 2, "neutral", 95, "--exposure", str(stops)))
    return next(event["photo"] for event in ours.events(done.output, "completed"))


def rawtherapee(raw, out, stops):
    profile = os.path.join(out, "stops.pp3")
    with open(profile, "w") as f:
        f.write(f"[Exposure]\nCompensation={stops}\n")
    return _peer(["rawtherapee-cli", "-o", out, "-j95", "-js3", "-Y", "-d", *(["-p", profile] if stops else []), "-c", raw],
                 out)


def darktable(raw, out, stops):
    """Its default exposure is 0.7 stops; a sidecar changes it."""
    if not stops:
        return _peer(["darktable-cli", raw, os.path.join(out, "photo.jpg"), *_own(out)], out)
    fields = struct.pack("<iffffi", 0, 0.0, 0.7 + stops, 50.0, -4.0, 0).hex()
    sidecar = os.path.join(out, "photo.xmp")
    with open(sidecar, "w") as f:
        f.write(f'''<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5"
 darktable:history_end="1"><darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure"
 darktable:enabled="1" darktable:modversion="6" darktable:params="{fields}" darktable:multi_name=""
 darktable:multi_priority="0" darktable:blendop_version="11"
 darktable:blendop_params="gz12eJxjYGBgkGAAgRNODGiAEV0AJ2iwh+CRyscOAAdeGQQ="/></rdf:Seq></darktable:history>
</rdf:Description></rdf:RDF></x:xmpmeta>''')
    return _peer(["darktable-cli", raw, sidecar, os.path.join(out, "photo.jpg"), *_own(out)], out)


def _own(out):
    return ["--core", "--configdir", os.path.join(out, "config"), "--library", ":memory:",
            "--conf", "plugins/imageio/format/jpeg/quality=95"]


def _peer(command, out):
    done = run(command, env={**os.environ, "HOME": out, "XDG_CONFIG_HOME": out})
    found = [name for name in os.listdir(out) if name.endswith(".jpg")]
    if not found:
        raise SystemExit(f"{command[0]} made no picture: {done.output}")
    return os.path.join(out, found[0])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("sheet")
    options.add_argument("--rawmill", default=os.path.join(HERE, "../../.build/rawmill/bin/rawmill"))
    given = options.parse_args()
    program = os.path.abspath(given.rawmill)
    programs = {"Rawmill": lambda raw, out, stops: rawmill(program, raw, out, stops),
                "RawTherapee": rawtherapee, "darktable": darktable}
    rows = []
    with tempfile.TemporaryDirectory(prefix="rawmill-burnt-") as scratch:
        for scene, box in SHOWN.items():
            raw = os.path.join(scratch, scene, "photo.dng")
            os.makedirs(os.path.dirname(raw))
            mosaic.write_dng(raw, mosaic.expose(getattr(burnt, scene)(), mosaic.BAYER, 1, WELL), mosaic.BAYER, 100)
            for stops in (0, -2):
                row = []
                for name, develop in programs.items():
                    with tempfile.TemporaryDirectory(dir=scratch) as out:
                        picture = Image.open(develop(raw, out, stops)).convert("RGB").crop(box)
                    size = (WIDTH, round(picture.height * WIDTH / picture.width))
                    row.append((name, picture.resize(size, Image.LANCZOS)))
                rows.append((f"{scene}, {'as exposed' if not stops else f'{stops} stops'}", row))
    sheets.laid_out(rows).save(given.sheet, quality=90)


if __name__ == "__main__":
    main()
