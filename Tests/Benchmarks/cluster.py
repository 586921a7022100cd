#!/usr/bin/env python3
"""Measures everything in a cluster except rendering: real processes over a real Kafka, with the null renderer.

    Tests/Benchmarks/cluster.py --rawmill PROGRAM --broker kafka://HOST:PORT [--jobs 20000] [--slots 4] [--only-coordinator]

The Kafka must be fresh and may be lost. Three parts, each with its rate and the peak memory of its processes: only
the coordinator accepts and publishes; a worker and a cataloguer do all the jobs; an empty library is rebuilt from the
manifests."""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import measure


class Cluster:
    def __init__(self, program, broker, folder):
        self.program, self.broker, self.folder = program, broker, pathlib.Path(folder)
        self.archive, self.library = self.folder / "archive", self.folder / "library"
        self.library.mkdir(parents=True)
        self.roles = {}

    def command(self, *words):
        return [self.program, *words, "--broker", self.broker]

    def run(self, *words):
        return subprocess.run(self.command(*words), check=True, capture_output=True, text=True).stdout

    def start(self, role, *words):
        log = open(self.folder / f"{role}.log", "a")
        places = ["--root", f"archive={self.archive}", "--root", f"library={self.library}"]
        if role == "catalogue":
            places = ["--library", str(self.library)]
        self.roles[role] = subprocess.Popen(
            self.command(role, *places, "--log-level", "warning", *words), stderr=log, start_new_session=True)

    def stop(self, role):
        process = self.roles.pop(role)
        process.send_signal(signal.SIGTERM)
        process.wait(60)

    def fill(self, count):
        for number in range(count):
            place = self.archive / f"{number // 1000:05}"
            if number % 1000 == 0:
                place.mkdir(parents=True)
            (place / f"IMG_{number}.CR2").write_text(f"source {number}")

    def peak_megabytes(self, role):
        """Processor time of the role's process since it started."""
        for line in open(f"/proc/{self.roles[role].pid}/status"):
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024

    def processor_seconds(self, role):
        """Processor time of the role and its children, waited for or running."""
        tick, seconds, group = os.sysconf("SC_CLK_TCK"), 0, self.roles[role].pid
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                fields = open(f"/proc/{int(name)}/stat").read().rsplit(")", 1)[1].split()
                if int(fields[3]) == group:
                    seconds += sum(int(each) for each in fields[11:15]) / tick
        return seconds


def ask(database, question):
    """One number from a database that another process writes; 0 before it exists."""
    with contextlib.suppress(sqlite3.OperationalError):
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10)) as connection:
            return connection.execute(question).fetchone()[0] or 0
    return 0


def wait(condition, seconds=900):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("it did not end in time; the logs are in the folder")
        time.sleep(0.02)
    return time.monotonic()


def report(name, jobs, seconds, **more):
    notes = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in more.items())
    print(f"{name}: {jobs} in {seconds:.1f} s, {jobs / seconds:.0f} a second; {notes}", flush=True)


def coordinate(cluster, jobs):
    ledger = cluster.library / ".rawmill/coordinator.sqlite"
    cluster.start("coordinator")
    wait(lambda: ask(ledger, "SELECT COUNT(*) FROM cluster") == 1)
    time.sleep(1)
    cluster.run("submit", "archive")
    start = wait(lambda: ask(ledger, "SELECT COUNT(*) FROM orders") == 1)
    accepted = wait(lambda: ask(ledger, "SELECT COUNT(*) FROM orders WHERE state = 1") == 1)
    published = wait(lambda: ask(ledger, "SELECT NOT EXISTS(SELECT 1 FROM jobs WHERE state = 0)") == 1)
    memory, spent = f"{cluster.peak_megabytes('coordinator'):.0f} MB", cluster.processor_seconds("coordinator")
    report("coordinator, accepted", jobs, accepted - start, peak=memory)
    report("coordinator, accepted and published", jobs, published - start, peak=memory, processor=f"{spent:.1f} s")
    print(f"ledger: {ledger.stat().st_size / jobs:.0f} bytes a job")


def work(cluster, jobs, slots):
    ledger = cluster.library / ".rawmill/coordinator.sqlite"
    cluster.start("catalogue")
    cluster.start("worker", "-j", str(slots), "--null-renderer")
    closed = "SELECT SUM(catalogued + degraded + failed) FROM batches"
    start = wait(lambda: ask(ledger, closed) > 0)
    first = ask(ledger, closed)
    end = wait(lambda: ask(ledger, closed) == jobs)
    roles = ["coordinator", "worker", "catalogue"]
    spent = ", ".join(f"{role} {cluster.processor_seconds(role) / jobs * 1e6:.0f}" for role in roles)
    peaks = ", ".join(f"{role} {cluster.peak_megabytes(role):.0f}" for role in roles)
    report("the whole way", jobs - first, end - start, microseconds_of_processor_a_job=spent, peak_megabytes=peaks)
    rows = "SELECT COUNT(*) FROM renditions"
    wait(lambda: ask(cluster.library / "library.sqlite", rows) == jobs)
    for role in roles:
        cluster.stop(role)
    print(f"library.sqlite: {(cluster.library / 'library.sqlite').stat().st_size / jobs:.0f} bytes a photo")


def catalogue(cluster, jobs):
    """Merges again, into a library that only has the files."""
    for file in cluster.library.glob("library.sqlite*"):
        file.unlink()
    shutil.rmtree(cluster.library / "photos")
    rows, database = "SELECT COUNT(*) FROM renditions", cluster.library / "library.sqlite"
    cluster.start("catalogue")
    start = wait(lambda: ask(database, rows) > 0)
    first = ask(database, rows)
    end = wait(lambda: ask(database, rows) == jobs)
    spent = cluster.processor_seconds("catalogue") / jobs * 1e6
    report("cataloguer", jobs - first, end - start, peak=f"{cluster.peak_megabytes('catalogue'):.0f} MB",
           microseconds_of_processor_a_manifest=f"{spent:.0f}")
    cluster.stop("catalogue")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rawmill", required=True)
    parser.add_argument("--broker", required=True)
    parser.add_argument("--jobs", type=int, default=20_000)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--only-coordinator", action="store_true")
    parser.add_argument("--folder", help="new folder on the disk to measure; kept")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="rawmill-cluster-")
    cluster = Cluster(options.rawmill, options.broker, folder)
    print(json.dumps({"machine": measure.machine(), "jobs": options.jobs, "slots": options.slots}))
    try:
        cluster.fill(options.jobs)
        cluster.run("topics", "create")
        coordinate(cluster, options.jobs)
        if not options.only_coordinator:
            work(cluster, options.jobs, options.slots)
            catalogue(cluster, options.jobs)
    finally:
        for process in cluster.roles.values():
            process.kill()
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
