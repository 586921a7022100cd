#!/usr/bin/env python3
"""The cost of a remote archive: photos per second from a folder whose server answers each request after a delay.

usage: latency.py [--rawmill PROGRAM]... [--milliseconds 0 10 50] [--jobs 2] [--rounds 5] [--count 12] [--megapixels 24]

The server is slow_files.c beside this file, a file system in a process (libfuse3-dev, pkg-config, and the right to
mount): it answers any number of requests at once, of a megabyte at most, each after the given delay. It is mounted
again for each run, so that no file is cached. Several programs are measured alternately."""
import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder):
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "fuse3"], check=True, capture_output=True, text=True).stdout.split()
    program = os.path.join(folder, "slow_files")
    subprocess.run(["cc", "-O2", "-o", program, os.path.join(HERE, "slow_files.c"), *flags], check=True)
    return program


def seconds(rawmill, server, raws, milliseconds, jobs, scratch):
    """From the start of the program to its exit."""
    library, mount = os.path.join(scratch, "library"), os.path.join(scratch, "far")
    shutil.rmtree(library, ignore_errors=True)
    os.makedirs(mount, exist_ok=True)
    serving = subprocess.Popen([server, raws, str(milliseconds), mount], stderr=subprocess.DEVNULL)
    try:
        while not os.path.ismount(mount):
            time.sleep(0.01)
        start = time.monotonic()
        subprocess.run(
            [rawmill, "convert", mount, "--library", library, "--jobs", str(jobs), "--quiet"], check=True)
        return time.monotonic() - start
    finally:
        subprocess.run(["umount", mount], check=False)
        serving.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rawmill", action="append", help="may be repeated")
    parser.add_argument("--milliseconds", type=float, nargs="+", default=[0, 10, 50])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--megapixels", type=float, default=24)
    options = parser.parse_args()
    programs = options.rawmill or [os.path.join(HERE, "../../.build/rawmill/bin/rawmill")]
    with tempfile.TemporaryDirectory(prefix="rawmill-latency-") as scratch:
        server, raws = build(scratch), os.path.join(scratch, "raws")
        subprocess.run(
            [programs[0], "sample", "--out", raws, "--count", str(options.count), "--megapixels",
             str(options.megapixels)], check=True, stdout=subprocess.DEVNULL)
        times = {}
        for _ in range(options.rounds):
            for milliseconds in options.milliseconds:
                for program in programs:
                    taken = seconds(program, server, raws, milliseconds, options.jobs, scratch)
                    times.setdefault((milliseconds, program), []).append(taken)
        print("| each request is answered after | program | seconds | photos a second |\n|---|---|---|---|")
        for (milliseconds, program), taken in times.items():
            median = statistics.median(taken)
            print(f"| {milliseconds:g} ms | {program} | {median:.2f} | {options.count / median:.1f} |")


if __name__ == "__main__":
    main()
