import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { SubjectFailure, Thrown } from "../../lib/judge/audit/kernel/subject.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { root, served } from "./served.ts";

const adapter = `${root}adapters/python`;
/** The command of dpcheck in this clone. */
const dpcheck =
  `${Deno.execPath()} run --quiet --no-check -A --config ${root}deno.json ${root}cli/main.ts`;

interface Ran {
  readonly code: number;
  readonly text: string;
}

async function python(words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command("python3", { args: [...words], env })
    .output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

async function has(module: string): Promise<boolean> {
  return await hasProgram(["python3", "-c", `import ${module}`], "the adapter for Python");
}

/** A command that runs a Python program whose last line serves. */
function serving(program: string): string {
  const text = `import sys; sys.path.insert(0, ${JSON.stringify(adapter)})\n${program}`;
  return `python3 -B -c ${quoteWord(text)}`;
}

// Without Python nothing here is run.
const ignore = !await has("json");

// Mutants: prints left on standard output; an exception that ends the program; a set in no order.
Deno.test({
  name: "serve() of Python answers in order, with prints out of the way and exceptions as outputs",
  ignore,
  async fn(): Promise<void> {
    const { left, right } = await served(serving(`
from dpcheck import serve
def f(rows):
    print("loud")
    if not rows:
        raise ValueError("no rows")
    return {"sum": sum(rows), "seen": {3, 1, 2}, "pair": (1, None)}
serve(f)`)) as { left: { values: unknown[] }; right: { values: unknown[] } };
    assert(left.values.length > 0 && right.values.length > 0);
    for (const value of left.values) {
      assertEquals(value, { sum: 3, seen: [1, 2, 3], pair: [1, null] });
    }
    for (const value of right.values) {
      assertEquals(value, new Thrown("ValueError: no rows"));
    }
  },
});

// Mutants: arrays that JSON refuses; doubles of another length than was said.
Deno.test({
  name: "serve() of Python sends NumPy arrays as lists, or as doubles of a width",
  ignore: ignore || !await has("numpy"),
  async fn(): Promise<void> {
    const f = `
import numpy as np
from dpcheck import serve
def f(rows):
    return np.array([[len(rows), 0.5]])
`;
    const lists = await served(serving(`${f}serve(f)`)) as { left: { values: unknown[] } };
    assertEquals(lists.left.values[0], [[2, 0.5]]);
    const { left } = await served(serving(`${f}serve(f, width=2)`)) as {
      left: { kind: string; width: number; values: Float64Array };
    };
    assertEquals([left.kind, left.width], ["block", 2]);
    assertEquals([...left.values.subarray(0, 2)], [2, 0.5]);
    const failure = await served(serving(`${f}serve(f, width=3)`)).catch((error) => error);
    assert(failure instanceof SubjectFailure);
    assertStringIncludes(failure.message, "serve(width=3): f returned 2 numbers");
  },
});

// Mutants: relative imports that fail; a file of another folder that is not found; a class called as a function.
Deno.test({
  name: "python3 -m dpcheck serves a function or a class of a file that says nothing of dpcheck",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/package/not a module`, { recursive: true });
      await Deno.writeTextFile(`${folder}/package/half.py`, "half = lambda x: x / 2\n");
      await Deno.writeTextFile(
        `${folder}/package/stats.py`,
        "from .half import half\n\ndef total(rows):\n    return half(sum(rows))\n",
      );
      const service = "class Counts:\n  def __init__(self, rows): self.rows = rows\n" +
        "  def rows_of(self): return len(self.rows)\n";
      await Deno.writeTextFile(`${folder}/package/not a module/counts.py`, service);
      const words = (subject: string): string[] => ["-B", "-m", "dpcheck", subject];
      for (const subject of ["package/stats.py:total", "package.stats:total"]) {
        const command = `cd ${quoteWord(folder)} && PYTHONPATH=${quoteWord(adapter)} python3 ` +
          words(subject).join(" ");
        const { left } = await served(`sh -c ${quoteWord(command)}`) as {
          left: { values: unknown };
        };
        assertEquals(new Set(left.values as number[]), new Set([1.5]));
      }
      const outside = `${folder}/package/not a module/counts.py`;
      const child = new Deno.Command("python3", {
        args: words(`${outside}:Counts`),
        env: { PYTHONPATH: adapter },
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const input = child.stdin.getWriter();
      const lines =
        '{"id":1,"session":1,"open":[1,2]}\n{"id":2,"session":1,"ask":{"kind":"rows_of"}}\n';
      await input.write(new TextEncoder().encode(lines));
      await input.close();
      assertStringIncludes(new TextDecoder().decode((await child.output()).stdout), '"answer": 2');
      for (const wrong of ["package/stats.py", `${outside}:Count`]) {
        const { code, text } = await python(words(wrong), { PYTHONPATH: adapter });
        assertEquals(code, 1);
        assertMatch(
          text,
          /^usage: python3 -m dpcheck |counts\.py has no function and no class named Count$/m,
        );
      }
    }),
});

const TESTS = `
import random, unittest
from dpcheck import assert_private, assert_recorded

ROWS = {"type": "number", "min": 0, "max": 1}

def total(rows, scale=0.3):
    return sum(rows) + scale * (random.expovariate(1) - random.expovariate(1))

class Audits(unittest.TestCase):
    def test_refuted(self):
        with self.assertRaisesRegex(AssertionError, "REFUTED  total does not keep") as caught:
            assert_private(total, epsilon=1, rows=ROWS, size="1..3", seed=1, max_draws=4000)
        print(caught.exception)

    def test_kept(self):
        kept = lambda rows: total(rows, 1)
        assert_private(kept, epsilon=1, rows=ROWS, size=1, alpha=1e-6, max_draws=4000, require_power="infinity")

    def test_wrong_use(self):
        with self.assertRaisesRegex(RuntimeError, "--relation <NAME>"):
            assert_private(total, epsilon=1, rows=ROWS, relation="nothing")

    def test_seeded(self):
        def seeded(rows):
            random.seed(7)
            return random.random() + sum(rows)
        with self.assertRaises(AssertionError):
            assert_private(seeded, epsilon=1, rows=ROWS, size=1, seed=1, max_draws=4000)

    def test_recorded(self):
        with self.assertRaisesRegex(AssertionError, r"audits.py:8 hides a change of at most 0.3; .* the value moves by 1: 3.33 times"):
            assert_recorded(total, epsilon=1, rows=ROWS, size="1..3", max_pairs=20)
        assert_recorded(total, epsilon=1, rows=ROWS, size="1..3", max_pairs=20, strict=False)
        assert_recorded(lambda rows: total(rows, 1), epsilon=1, rows=ROWS, size="1..3", max_pairs=20)

unittest.main()
`;

// A true claim is refuted with probability 1e-6 at most. Mutants: a failed audit that passes; a counterexample left out.
Deno.test({
  name:
    "assert_private() and assert_recorded() of Python raise with what they show, and say when an audit failed",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const file = `${folder}/audits.py`;
      await Deno.writeTextFile(file, TESTS);
      const env = { DPCHECK: dpcheck, PYTHONPATH: adapter, NO_COLOR: "1" };
      const { code, text } = await python(["-B", file], env);
      assertEquals(code, 0, text);
      assertMatch(text, /Counterexample\n {2}left {3}\[/);
      assertStringIncludes(text, "dpcheck: random.seed is called with a fixed seed for an output");
      assertStringIncludes(text, "Ran 5 tests");
    }),
});

const PYTEST = `
import random

def noisy_count(rows, scale=0.3):
    return len([row for row in rows if row > 0.5]) + scale * (random.expovariate(1) - random.expovariate(1))

def test_refuted(assert_private):
    assert_private(noisy_count, epsilon=1, rows={"type": "number", "min": 0, "max": 1}, size="1..3", seed=1, max_draws=4000)

def test_missing(assert_private, monkeypatch):
    monkeypatch.setenv("DPCHECK", "no-such-command --here")
    assert_private(noisy_count, epsilon=1, rows={"type": "boolean"})
`;
import { hasProgram } from "../has_program.ts";
import { LONG } from "../long.ts";

// Mutants: no entry point of pytest; a traceback through the adapter; a command that is missing shown as FileNotFoundError.
Deno.test({
  name: "pip installs the adapter offline, and pytest shows the counterexample of a refuted claim",
  // The package tests install the wheel each day.
  ignore: !LONG || ignore || !await has("pytest") || !await has("pip"),
  fn: () =>
    withFolder(async (folder) => {
      const site = `${folder}/site`;
      const installed = await python(
        ["-m", "pip", "install", "--quiet", "--no-index", "--target", site, adapter],
      );
      assertEquals(installed.code, 0, installed.text);
      await Deno.writeTextFile(`${folder}/test_counts.py`, PYTEST);
      const { code, text } = await python(
        ["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", `${folder}/test_counts.py`],
        { DPCHECK: dpcheck, PYTHONPATH: site, NO_COLOR: "1" },
      );
      assertEquals(code, 1, text);
      assertStringIncludes(text, "2 failed");
      assertMatch(
        text,
        /AssertionError: REFUTED {2}noisy_count does not keep[^]*Counterexample\nE +left {3}\[/,
      );
      assertStringIncludes(
        text,
        "RuntimeError: dpcheck is not installed: there is no command no-such-command",
      );
      assert(!text.includes("private.py:"), text);
    }),
});

// The tests of recordings are Python's own: each says in its name what is recorded. Those of NumPy and SciPy are left
// out where these are not installed. Mutants: hooks left in place; a read that is not forced on replay; a form that loses an atom.
Deno.test({
  name: "recordings of Python programs: what is read, with which noise, and the same on replay",
  ignore,
  async fn(): Promise<void> {
    const folder = `${root}tests/adapters/python`;
    const { code, text } = await python(
      ["-B", "-m", "unittest", "discover", "-s", folder, "-p", "*_test.py"],
      { PYTHONPATH: adapter },
    );
    assertEquals(code, 0, text);
    assertMatch(text, /Ran \d+ tests/);
  },
});
