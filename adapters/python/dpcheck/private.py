"""assert_private and assert_recorded: a function's claim in a test, by an audit or by its watched noise."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys

from . import command as carried
from .serve import answer_lines


def assert_private(f, *, epsilon, rows, size="1..5", relation="replace-one", **options):
    """Audits f(rows), and raises AssertionError with the counterexample when its claim is refuted.

    epsilon is in nats. rows says what rows are, as in {"type": "number", "min": 0, "max": 1}; size is how many, as in
    "1..5" or 3; relation says which datasets are neighbours. Other options are those of dpcheck audit: delta=1e-6,
    max_seconds=10, seed=1, bits=True. RuntimeError: the audit failed, could not be started, or showed too little.

    The command is that of the variable DPCHECK, else that of this package, else dpcheck where it is installed, else npx dpcheck.
    """
    __tracebackhide__ = True
    check("audit", f, {"epsilon": epsilon, "rows": rows, "size": size, "relation": relation, **options})


def assert_recorded(f, *, epsilon, rows, size="1..5", relation="replace-one", strict=True, **options):
    """Watches the noise of f(rows) on pairs of datasets, and raises AssertionError with the line where it does not cover a change.

    It takes some seconds and no luck: equal seeds give equal answers. What is suspected is shown by one coupling of the noise, and
    assert_private confirms it or not; with strict=False only a broken declaration raises AssertionError. The arguments are those of
    assert_private, other options those of dpcheck record: delta=1e-6, seed=1, max_pairs=100. RuntimeError: noise was not followed,
    or nothing could be watched.
    """
    __tracebackhide__ = True
    arguments = {"epsilon": epsilon, "rows": rows, "size": size, "relation": relation, "strict": strict}
    check("record", f, {**arguments, **options})


def check(name, f, options):
    """Runs a command of dpcheck on f: AssertionError where it refutes the claim, RuntimeError where its exit status is another one than 0."""
    __tracebackhide__ = True
    with socket.create_server(("127.0.0.1", 0)) as server:
        bridge = [sys.executable, os.path.join(os.path.dirname(__file__), "bridge.py"), str(server.getsockname()[1])]
        run = started(command() + [name, "--exec", shlex.join(bridge), *option_words(options)])
        try:
            answer(f, server, run)
            text = run.communicate()[0].replace(shlex.join(bridge), getattr(f, "__name__", "f"))
            # The command needs this process: no other can start the function.
            text = re.sub(r"^Replay: .* --seed (\d+).*$", r"Replay: the same call with seed=\1", text, flags=re.MULTILINE)
        finally:
            run.kill()
        if refutes(run, text):
            raise AssertionError(text)
        if run.returncode != 0:
            raise RuntimeError(text)


def refutes(run, text):
    """True where the status is 1 and the report, if there is one, says why: npx ends with 1, too, where it finds no dpcheck."""
    shows = re.search(r'^(REFUTED|SUSPECTED|BROKEN)\b|"verdict"', text, flags=re.MULTILINE)
    return run.returncode == 1 and (shows is not None or not text.strip())


def option_words(options):
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not False:
            words += [option, json.dumps(value) if name == "rows" else str(value)]
    return words


def command():
    if "DPCHECK" in os.environ:
        return shlex.split(os.environ["DPCHECK"])
    if carried.is_carried():
        return carried.words()
    if shutil.which("dpcheck"):
        return ["dpcheck"]
    # A folder of npm packages that Deno made, where there is no Node.
    return ["deno", "x", "-A", "dpcheck"] if shutil.which("deno") and not shutil.which("npx") else ["npx", "dpcheck"]


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
