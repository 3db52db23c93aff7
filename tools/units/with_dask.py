#!/usr/bin/env python3
"""Do all units of a search by Dask, bound after bound: with_dask.py FOLDER [SCHEDULER]."""
import glob, subprocess, sys
from dask.distributed import Client

def psvn(*words):
    return subprocess.run(["psvn", *words]).returncode

if __name__ == "__main__":
    folder, status = sys.argv[1], 4
    with Client(*sys.argv[2:]) as client:
        while status == 4:
            units = sorted(glob.glob(f"{folder}/*.unit"))
            client.gather([client.submit(psvn, "work", unit, pure=False) for unit in units])
            status = psvn("join", folder)
    sys.exit(status)
