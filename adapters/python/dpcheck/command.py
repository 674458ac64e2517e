"""The command dpcheck, as a wheel of a release carries it: JavaScript, which Node runs."""

import os
import re
import shutil
import subprocess
import sys

OLDEST = (20, 11)
SCRIPT = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "node", "node_modules", "@dpcheck", "dpcheck", "bin", "dpcheck.js"
)


def is_carried():
    return os.path.exists(SCRIPT)


def words():
    """The words that start the command. RuntimeError if there is no Node that is new enough."""
    node = shutil.which(os.environ.get("DPCHECK_NODE", "node"))
    if node is None:
        raise RuntimeError("dpcheck needs Node %d.%d or later, and none was found: install it, or name it in DPCHECK_NODE" % OLDEST)
    said = subprocess.run([node, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    version = re.match(r"v(\d+)\.(\d+)", said)
    if version is None or tuple(map(int, version.groups())) < OLDEST:
        raise RuntimeError("dpcheck needs Node %d.%d or later: %s is %s" % (*OLDEST, node, said))
    return [node, SCRIPT]


def main():
    try:
        started = words() + sys.argv[1:]
    except RuntimeError as error:
        sys.stderr.write("%s\n" % error)
        sys.exit(3)
    if os.name == "posix":
        # Signals reach Node itself.
        os.execv(started[0], started)
    sys.exit(subprocess.call(started))
