"""The archive with the command."""

import gzip
import hashlib
import shutil
import subprocess
import tarfile
import time

# The file of each shell's completions, under the name by which the shell finds it.
COMPLETIONS = {
    "bash": "psvn.bash",
    "zsh": "_psvn",
    "fish": "psvn.fish",
    "elvish": "psvn.elv",
    "powershell": "_psvn.ps1",
}


def commit_time(root):
    """When the last commit was made, in seconds; now, where there is no repository."""
    asked = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=root, text=True, capture_output=True
    )
    return int(asked.stdout) if asked.returncode == 0 else int(time.time())


def fill(folder, program):
    """Put the command into a new folder, with its manual pages and completions."""
    for part in ("completions", "man"):
        (folder / part).mkdir(parents=True)
    copied = folder / program.name
    shutil.copy(program, copied)
    copied.chmod(0o755)
    for shell, name in COMPLETIONS.items():
        with open(folder / "completions" / name, "wb") as output:
            subprocess.run([copied, "completions", shell], stdout=output, check=True)
    subprocess.run([copied, "man", "--dir", folder / "man"], stdout=subprocess.DEVNULL, check=True)


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def checksums(folder):
    """Write SHA256SUMS for all other files of a folder, as `sha256sum --check` reads it."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in files(folder)
        if path.name != "SHA256SUMS"
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), newline="\n")


def pack(folder, path, epoch):
    """Pack a folder so that the same files give the same bytes: sorted, one time, no owner."""

    def same(entry):
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = epoch, 0, 0, "", ""
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with open(path, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            tar.add(folder, folder.name, filter=same)
