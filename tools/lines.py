#!/usr/bin/env python3
"""lines.py [COMMIT..]: lines of Rust by crate, in each commit (HEAD unless told).

Three counts for each: lines of code and of comments in what is built for users, and lines of code in
tests. Blank lines count nowhere. What a tool generated and was committed stands apart.
"""

import collections
import subprocess
import sys


def git(*arguments):
    return subprocess.run(
        ["git", *arguments], check=True, capture_output=True, encoding="utf-8"
    ).stdout


def crate_of(path):
    """The folder that a file belongs to: two names below a folder of crates, otherwise one."""
    names = path.split("/")
    return "/".join(names[:2]) if names[0] in ("crates", "extras") else names[0]


def is_test(path):
    names = path.split("/")
    folders, name = names[:-1], names[-1]
    return "tests" in folders or "benches" in folders or name in ("tests.rs", "testing.rs")


def lines_by_crate(commit):
    counts = collections.defaultdict(collections.Counter)
    paths = [
        path
        for path in git("ls-tree", "-r", "--name-only", commit).splitlines()
        if path.endswith((".rs", ".lalrpop"))
    ]
    for path in paths:
        text = git("show", f"{commit}:{path}")
        generated = "auto-generated" in text[:500]
        for line in filter(None, map(str.strip, text.splitlines())):
            if generated:
                kind = "generated"
            elif is_test(path):
                kind = "tests"
            else:
                kind = "comments" if line.startswith("//") else "code"
            counts[crate_of(path)][kind] += 1
    return counts


def main():
    kinds = ["code", "comments", "tests", "generated"]
    for commit in sys.argv[1:] or ["HEAD"]:
        counts = lines_by_crate(commit)
        print(f"{commit:28}" + "".join(f"{kind:>10}" for kind in kinds))
        for crate, lines in sorted(counts.items()):
            print(f"{crate:28}" + "".join(f"{lines[kind]:10,}" for kind in kinds))
        total = sum(counts.values(), collections.Counter())
        print(f"{'all':28}" + "".join(f"{total[kind]:10,}" for kind in kinds) + "\n")


main()
