"""Runs a command, and watches its whole process tree: wall time, and memory sampled every 20 ms."""
import os
import subprocess
import threading
import time
from dataclasses import dataclass


@dataclass
class Run:
    seconds: float
    peak_tree_bytes: int       # peak memory of all processes together
    peak_process_bytes: int    # peak memory of one process
    output: str
    status: int


def _session_members(session, others):
    """Resident bytes of the session's processes. `others`, a set, caches processes that do not belong to it: checking
    all of them each time took a twentieth of a core from the measured program."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or name in others:
            continue
        try:
            with open(f"/proc/{name}/stat") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            if int(fields[3]) == session:
                yield int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
            else:
                others.add(name)
        except (OSError, IndexError, ValueError):
            continue    # ended between listing and reading


def run(command, **options):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
                               text=True, **options)
    peaks = [0, 0]
    done = threading.Event()

    def watch():
        others = set()
        while not done.wait(0.02):
            resident = list(_session_members(process.pid, others))
            peaks[0] = max(peaks[0], sum(resident))
            peaks[1] = max(peaks[1], max(resident, default=0))

    watcher = threading.Thread(target=watch)
    watcher.start()
    output, _ = process.communicate()
    seconds = time.monotonic() - start
    done.set()
    watcher.join()
    return Run(seconds, peaks[0], peaks[1], output, process.returncode)


def machine():
    """One line about the machine, without which the figures are meaningless."""
    model = "unknown processor"
    flags = ""
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
            if line.startswith("flags"):
                flags = line
    level = "AVX-512" if " avx512f" in flags else "AVX2" if " avx2" in flags else "no AVX2"
    with open("/proc/meminfo") as f:
        gib = int(f.readline().split()[1]) / 2**20
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {level}, {gib:.0f} GiB, Linux {os.uname().release}"
