#!/usr/bin/env python3
"""Do all units of a search by Ray, bound after bound: with_ray.py FOLDER."""
import glob, subprocess, sys
import ray

@ray.remote
def work(unit):
    return subprocess.run(["psvn", "work", unit]).returncode

ray.init()
folder, status = sys.argv[1], 4
while status == 4:
    ray.get([work.remote(unit) for unit in sorted(glob.glob(f"{folder}/*.unit"))])
    status = subprocess.run(["psvn", "join", folder]).returncode
sys.exit(status)
