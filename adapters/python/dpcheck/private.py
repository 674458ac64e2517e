"""assert_private: an audit of a function in a test."""

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile

from .serve import answer_lines


def assert_private(f, *, epsilon, rows, size="1..5", relation="replace-one", **options):
    """Audits f(rows), and raises AssertionError with the counterexample when its claim is refuted.

    epsilon is in nats. rows says what rows are, as in {"type": "number", "min": 0, "max": 1}; size is how many, as in
    "1..5" or 3; relation says which datasets are neighbours. Other options are those of dpcheck audit: delta=1e-6,
    max_seconds=10, seed=1, bits=True. RuntimeError: the audit failed, could not be started, or showed too little.

    The command is that of the variable DPCHECK, else dpcheck where it is installed, else npx dpcheck.
    """
    __tracebackhide__ = True
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        evidence = os.path.join(folder, "evidence.json")
        bridge = [sys.executable, os.path.join(os.path.dirname(__file__), "bridge.py"), str(server.getsockname()[1])]
        words = ["audit", "--exec", shlex.join(bridge), "--epsilon", repr(float(epsilon)), "--rows", json.dumps(rows)]
        words += ["--size", str(size), "--relation", relation, "--json", evidence]
        for name, value in options.items():
            option = "--" + name.replace("_", "-")
            words += [option] if value is True else [option, str(value)]
        audit = started(command() + words)
        try:
            answer(f, server, audit)
            text = audit.communicate()[0].replace(shlex.join(bridge), getattr(f, "__name__", "f"))
        finally:
            audit.kill()
        if audit.returncode == 1:
            raise AssertionError(text)
        if audit.returncode != 0:
            raise RuntimeError(text)


def command():
    if "DPCHECK" in os.environ:
        return shlex.split(os.environ["DPCHECK"])
    return ["dpcheck"] if shutil.which("dpcheck") else ["npx", "dpcheck"]


def started(words):
    __tracebackhide__ = True
    try:
        return subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except OSError as error:
        raise RuntimeError(
            "dpcheck is not installed: there is no command %s; npm install @dpcheck/dpcheck, or name a command in the variable DPCHECK"
            % words[0]
        ) from error


def answer(f, server, audit):
    """Serves the program that dpcheck starts, for as long as it asks; none is started when an option is wrong."""
    server.settimeout(0.1)
    while audit.poll() is None:
        try:
            connection = server.accept()[0]
        except socket.timeout:
            continue
        connection.settimeout(None)
        try:
            with connection, connection.makefile("rb") as requests, connection.makefile("wb") as answers:
                answer_lines(f, requests, answers)
        except (BrokenPipeError, ConnectionResetError):
            pass
