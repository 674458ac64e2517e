"""Builds the wheel and the archive of this package with Python alone, so that pip installs it without a network (PEP 517, PEP 427).

With the npm package and what it needs in dpcheck/node, as `deno task build python` puts it there, the wheel also has the command dpcheck.
"""

import base64
import hashlib
import io
import os
import tarfile
import zipfile

NAME, VERSION = "dpcheck", "0.1.0"
INFO = "%s-%s.dist-info" % (NAME, VERSION)
HERE = os.path.dirname(os.path.abspath(__file__))
METADATA = """Metadata-Version: 2.1
Name: dpcheck
Version: %s
Summary: Does this code keep the differential-privacy claim it makes? Audits of functions, programs and tests
License: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown

""" % VERSION
WHEEL = "Wheel-Version: 1.0\nGenerator: dpcheck\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
PYTEST = "[pytest11]\ndpcheck = dpcheck.pytest_plugin\n"
SCRIPTS = "[console_scripts]\ndpcheck = dpcheck.command:main\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    sources = files_below(NAME)
    carries = any(name.startswith(NAME + "/node/") for name in sources)
    files = {
        INFO + "/METADATA": metadata(),
        INFO + "/WHEEL": WHEEL.encode(),
        INFO + "/entry_points.txt": (PYTEST + (SCRIPTS if carries else "")).encode(),
        **sources,
    }
    files[INFO + "/RECORD"] = record(files).encode()
    wheel = "%s-%s-py3-none-any.whl" % (NAME, VERSION)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # The same sources make the same wheel.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    root = "%s-%s" % (NAME, VERSION)
    files = {"PKG-INFO": metadata(), **files_below(NAME)}
    for name in ("pyproject.toml", "wheel_backend.py", "README.md"):
        with open(os.path.join(HERE, name), "rb") as source:
            files[name] = source.read()
    with tarfile.open(os.path.join(sdist_directory, root + ".tar.gz"), "w:gz") as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(root + "/" + name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return root + ".tar.gz"


def metadata():
    with open(os.path.join(HERE, "README.md"), "rb") as readme:
        return METADATA.encode() + readme.read()


def files_below(folder):
    files = {}
    for path, folders, names in os.walk(os.path.join(HERE, folder)):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            file = os.path.join(path, name)
            with open(file, "rb") as source:
                files[os.path.relpath(file, HERE).replace(os.sep, "/")] = source.read()
    return files


def record(files):
    def line(name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        return "%s,sha256=%s,%d\n" % (name, digest, len(content))

    return "".join(line(*file) for file in files.items()) + INFO + "/RECORD,,\n"
