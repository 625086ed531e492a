"""Disks that are full or may only be read: real ones, small file systems in memory, each in a mount namespace of its
own that ends with its process."""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BEGIN = """
import contextlib, io, json, os, pathlib, subprocess, sys
disk = pathlib.Path(sys.argv[1])
def fill():  # to the last byte
    with contextlib.suppress(OSError), open(disk / "filler", "ab", buffering=0) as file:
        while True:
            file.write(bytes(4096))
def read_only():
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
def command(main, line):
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        status = main(line.split())
    return status, errors.getvalue()
"""


@functools.cache
def why_not():
    """Why no disk can be mounted here; "" where one can."""
    if not shutil.which("unshare"):
        return "there is no unshare here"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"], capture_output=True, text=True
    )
    return done.stderr.strip()


@pytest.fixture
def on_disk(tmp_path):
    """Run a script on a small disk of its own; returns what it prints, as JSON."""
    if why_not():
        pytest.skip(f"no disk can be mounted: {why_not()}")

    def on_disk(script, size="1m"):
        mount = f'mount -t tmpfs -o size={size} none "$1" && exec "$0" -c "$2" "$1"'
        command = ["unshare", "-m", "sh", "-c", mount, sys.executable, str(tmp_path), BEGIN + script]
        environment = os.environ | {"LTW_STATE": str(tmp_path), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    return on_disk
