"""Builds the wheel of this package with Python alone, so that pip installs it without a network (PEP 517, PEP 427)."""

import base64
import hashlib
import os
import zipfile

NAME, VERSION = "dpcheck", "0.1.0"
INFO = "%s-%s.dist-info" % (NAME, VERSION)
METADATA = """Metadata-Version: 2.1
Name: dpcheck
Version: 0.1.0
Summary: Python functions audited by dpcheck: serve(f), assert_private(f, epsilon=1, rows=...)
License: MIT
Requires-Python: >=3.9
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: dpcheck\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY_POINTS = "[pytest11]\ndpcheck = dpcheck.pytest_plugin\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {
        INFO + "/METADATA": METADATA.encode(),
        INFO + "/WHEEL": WHEEL.encode(),
        INFO + "/entry_points.txt": ENTRY_POINTS.encode(),
    }
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), NAME)
    for folder, _, names in sorted(os.walk(package)):
        for name in sorted(names):
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path, "rb") as source:
                    files[NAME + "/" + os.path.relpath(path, package).replace(os.sep, "/")] = source.read()
    files[INFO + "/RECORD"] = record(files).encode()
    wheel = "%s-%s-py3-none-any.whl" % (NAME, VERSION)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def record(files):
    def line(name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        return "%s,sha256=%s,%d\n" % (name, digest, len(content))

    return "".join(line(*file) for file in files.items()) + INFO + "/RECORD,,\n"
