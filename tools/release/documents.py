"""What a release says of the packages in it: their licenses, and a bill of materials."""

import json
import uuid
from datetime import datetime, timezone
from fnmatch import fnmatch
from pathlib import Path

# What authors call the files with their licenses and notices.
LICENSE_FILES = ("licen[sc]e*", "copying*", "unlicen[sc]e*", "notice*", "copyright*")


def third_party(packages):
    """The text with name, version and license of each package by others, and their license files.
    A text that several packages have to the letter stands there once."""
    others = [it for it in packages if it["source"] is not None]
    texts = {}
    lines = [
        "This program contains the packages below, under the licenses that their authors chose,",
        "and parts of the standard library of Rust (MIT OR Apache-2.0). The texts follow.",
        "",
    ]
    for package in others:
        title = f"{package['name']} {package['version']}"
        facts = [package["license"] or "see its text", package["repository"] or package["homepage"]]
        found = license_texts(package)
        if not found:
            facts.append("without a text of its own in the package")
        lines.append(f"{title}: {', '.join(it for it in facts if it)}")
        for text in found:
            texts.setdefault(text, []).append(title)
    for text, titles in texts.items():
        lines += ["", "=" * 80, *titles, "-" * 80, text]
    return "\n".join(lines) + "\n"


def license_texts(package):
    """The texts of the license files in a package's folder, in the order of their names."""
    folder = Path(package["manifest_path"]).parent
    found = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and any(fnmatch(path.name.lower(), form) for form in LICENSE_FILES)
    )
    if package["license_file"]:
        found.append(folder / package["license_file"])
    texts = [path.read_text(errors="replace").replace("\r\n", "\n").strip("\n") for path in found]
    return list(dict.fromkeys(texts))


def sbom(name, kind, packages, workspace, epoch):
    """The bill of materials as CycloneDX 1.5: each package with its license and where it comes
    from, and what depends on what. The same packages and the same time give the same text."""
    first, *others = packages
    refs = {it["id"]: purl(it) for it in packages}
    identity = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([kind, str(epoch), *refs.values()]))
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, timezone.utc).isoformat(),
            "component": component(first, kind) | {"name": name},
        },
        "components": [component(it, "library") for it in others],
        "dependencies": [
            {
                "ref": refs[it["id"]],
                "dependsOn": sorted(
                    {
                        refs[other["id"]]
                        for other in workspace.dependencies(it)
                        if other["id"] in refs
                    }
                ),
            }
            for it in packages
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, kind):
    """A package as a component. Expressions of old packages have `/` for `OR`."""
    made = {
        "type": kind,
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
    }
    if package["description"]:
        made["description"] = " ".join(package["description"].split())
    if package["license"]:
        expression = " OR ".join(it.strip() for it in package["license"].split("/"))
        made["licenses"] = [{"expression": expression}]
    if package["repository"]:
        made["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return made
