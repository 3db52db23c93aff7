"""Adds to a wheel what belongs beside its metadata: licenses and the bill of materials."""

import base64
import csv
import hashlib
import io
import time
import zipfile


def digest(data):
    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return "sha256=" + found.decode().rstrip("=")


def add(wheel, path, epoch, texts):
    """Write a copy of a wheel with more files in its folder `dist-info`: their texts by their names
    there. Names under `licenses/` are listed in the metadata, as PEP 639 wants it."""
    with zipfile.ZipFile(wheel) as old:
        names = old.namelist()
        info = next(name for name in names if name.endswith(".dist-info/RECORD"))[: -len("RECORD")]
        # Another bill of materials would name the folders of the machine that built the wheel.
        data = {name: old.read(name) for name in names if not name.startswith(info + "sboms/")}
        modes = {it.filename: it.external_attr for it in old.infolist()}
    head, end, body = data[info + "METADATA"].decode().partition("\n\n")
    for name, text in sorted(texts.items()):
        data[info + name] = text.encode()
        line = "License-File: " + name.removeprefix("licenses/")
        if name.startswith("licenses/") and line not in head.splitlines():
            head += "\n" + line
    data[info + "METADATA"] = (head + end + body).encode()
    data[info + "RECORD"] = record(data, info + "RECORD")

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in sorted(data, key=lambda name: (name.startswith(info), name)):
            entry = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = modes.get(name, 0o100644 << 16)
            new.writestr(entry, data[name])


def record(data, itself):
    """The list of a wheel's files with their checksums and sizes; its own line has neither."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    for name in sorted(data):
        if name != itself:
            lines.writerow([name, digest(data[name]), len(data[name])])
    lines.writerow([itself, "", ""])
    return text.getvalue().encode()
