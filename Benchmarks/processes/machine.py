"""On what, and with what, was measured."""
import os
import platform
import subprocess


def first_line(*command):
    """The first line that a command prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def memory_gigabytes():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def describe(date, root, python):
    """A line about the machine, the day, and the versions."""
    peers = first_line(
        python, "-c", "import duckdb, polars; print(f'DuckDB {duckdb.__version__}, Polars {polars.__version__}')")
    commit = first_line("git", "-C", str(root), "describe", "--always", "--dirty")
    return (
        f"Measured on {date} at commit {commit}: {processor()}, {os.cpu_count()} cores, {memory_gigabytes():.0f} GB, "
        f"Linux {platform.release()}, {first_line('swift', '--version')}, {peers}.")
