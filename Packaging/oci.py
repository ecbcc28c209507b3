#!/usr/bin/env python3
"""Writes a folder as a container image: an archive in the form of OCI, which `podman load` and `docker load` read.

usage: oci.py ROOT ARCHIVE NAME     (the times are SOURCE_DATE_EPOCH)

The image has one layer. Its entry point is `scenario`, its user `scenario`, and its working folder /work.
"""
import gzip
import hashlib
import io
import json
import os
import platform
import sys
import tarfile
from datetime import datetime, timezone

MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
TYPE = "application/vnd.oci.image."


def layer(root, time):
    """The files of a folder, sorted, with their owners and modes; first as they are, then compressed."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder, names, files in os.walk(root):
            names.sort()
            for name in sorted(names + files):
                path = os.path.join(folder, name)
                entry = archive.gettarinfo(path, os.path.relpath(path, root))
                if entry is None:
                    continue
                entry.mtime, entry.uname, entry.gname = time, "", ""
                if entry.isreg():
                    with open(path, "rb") as content:
                        archive.addfile(entry, content)
                else:
                    archive.addfile(entry)
    return plain.getvalue(), gzip.compress(plain.getvalue(), mtime=0)


def digest(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


def main(root, path, name):
    time = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    blobs = {}

    def kept(kind, content):
        """Keeps a blob, and describes it."""
        blobs[digest(content)] = content
        return {"mediaType": TYPE + kind, "digest": digest(content), "size": len(content)}

    plain, packed = layer(root, time)
    system = {"architecture": MACHINES[platform.machine()], "os": "linux"}
    configuration = {
        "created": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), **system,
        "config": {"Entrypoint": ["scenario"], "Env": ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"], "User": "scenario",
                   "WorkingDir": "/work"},
        "rootfs": {"type": "layers", "diff_ids": [digest(plain)]}}
    manifest = {"schemaVersion": 2, "mediaType": TYPE + "manifest.v1+json",
                "config": kept("config.v1+json", json.dumps(configuration).encode()),
                "layers": [kept("layer.v1.tar+gzip", packed)]}
    described = kept("manifest.v1+json", json.dumps(manifest).encode())
    described |= {"platform": system, "annotations": {"org.opencontainers.image.ref.name": name.rpartition(":")[2],
                                                      "io.containerd.image.name": name}}
    files = {"oci-layout": {"imageLayoutVersion": "1.0.0"},
             "index.json": {"schemaVersion": 2, "mediaType": TYPE + "index.v1+json", "manifests": [described]}}
    files = {file: json.dumps(content).encode() for file, content in files.items()}
    files |= {"blobs/sha256/" + known.partition(":")[2]: content for known, content in sorted(blobs.items())}
    with tarfile.open(path, "w") as archive:
        for file, content in files.items():
            entry = tarfile.TarInfo(file)
            entry.size, entry.mtime, entry.mode = len(content), time, 0o644
            archive.addfile(entry, io.BytesIO(content))


main(*sys.argv[1:])
