import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Coins } from "../../lib/audit/subjects/order/coins.ts";
import { processSubject } from "../../lib/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../lib/audit/subjects/process/split_command.ts";
import { SubjectFailure, Thrown } from "../../lib/audit/subjects/subject.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { withFolder } from "../end_to_end/run_cli.ts";

const root = new URL("../../", import.meta.url).pathname;
const adapter = `${root}adapters/python`;

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
  return await python(["-c", `import ${module}`]).then(({ code }) => code === 0, () => false);
}

/** Outputs of a Python program whose last line serves, ten on each of two datasets. */
async function served(program: string): Promise<{ left: unknown; right: unknown }> {
  const text = `import sys; sys.path.insert(0, ${JSON.stringify(adapter)})\n${program}`;
  const subject = processSubject(`python3 -B -c ${quoteWord(text)}`);
  try {
    const coins = Coins.thrown(new SeededSource(1), 10);
    return await subject.drawInOrder!({ left: [1, 2], right: [] }, coins);
  } finally {
    await subject.close();
  }
}

// Without Python nothing here is run.
const ignore = !await has("json");

// Mutants: prints left on standard output; an exception that ends the program; a set in no order.
Deno.test({
  name: "serve() of Python answers in order, with prints out of the way and exceptions as outputs",
  ignore,
  async fn(): Promise<void> {
    const { left, right } = await served(`
from dpcheck import serve
def f(rows):
    print("loud")
    if not rows:
        raise ValueError("no rows")
    return {"sum": sum(rows), "seen": {3, 1, 2}, "pair": (1, None)}
serve(f)`) as { left: { values: unknown[] }; right: { values: unknown[] } };
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
    const lists = await served(`${f}serve(f)`) as { left: { values: unknown[] } };
    assertEquals(lists.left.values[0], [[2, 0.5]]);
    const { left } = await served(`${f}serve(f, width=2)`) as {
      left: { kind: string; width: number; values: Float64Array };
    };
    assertEquals([left.kind, left.width], ["block", 2]);
    assertEquals([...left.values.subarray(0, 2)], [2, 0.5]);
    const failure = await served(`${f}serve(f, width=3)`).catch((error) => error);
    assert(failure instanceof SubjectFailure);
    assertStringIncludes(failure.message, "serve(width=3): f returned 2 numbers");
  },
});

const TESTS = `
import random, unittest
from dpcheck import assert_private

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

unittest.main()
`;

// A true claim is refuted with probability 1e-6 at most. Mutants: a failed audit that passes; a counterexample left out.
Deno.test({
  name: "assert_private() of Python raises with the counterexample, and says when an audit failed",
  ignore,
  fn: () =>
    withFolder(async (folder) => {
      const file = `${folder}/audits.py`;
      await Deno.writeTextFile(file, TESTS);
      const deno = `${Deno.execPath()} run --quiet --no-check -A --config ${root}deno.json`;
      const env = { DPCHECK: `${deno} ${root}cli/main.ts`, PYTHONPATH: adapter, NO_COLOR: "1" };
      const { code, text } = await python(["-B", file], env);
      assertEquals(code, 0, text);
      assertMatch(text, /Counterexample\n {2}left {3}\[/);
      assertStringIncludes(text, "dpcheck: random.seed is called with a fixed seed for an output");
      assertStringIncludes(text, "Ran 4 tests");
    }),
});
