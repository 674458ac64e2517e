import { assert, assertEquals } from "@std/assert";
import { audit } from "../../lib/judge/audit/audit.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { approximate, pure } from "../../lib/core/mod.ts";
import { relationNamed } from "../../lib/core/relations/relation_named.ts";
import { replaceRandomness } from "../../lib/core/random/own_randomness.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { EXAMPLES } from "../../site/browser/examples.ts";
import { functionOf } from "../../site/browser/function_of.ts";
import { longTest } from "../long.ts";

/** Those that keep what they claim. */
const TRUE_CLAIMS = [
  "Randomised response",
  "A count with Laplace noise",
  "Noisy max",
  "Sparse vector",
];
/** The chance that a true claim is refuted, of each. */
const ALPHA = 1e-6;

// Mutant: half the noise for the noisy maximum.
longTest(
  "the examples of the playground are refuted, but for those that keep what they claim",
  async () => {
    const inJavaScript = EXAMPLES.filter(({ language }) => language !== "python");
    assertEquals([EXAMPLES.length, inJavaScript.length], [13, 12]);
    const noise = new SeededSource(2);
    const restore = replaceRandomness((own) => ({ ...own, random: () => noise.uniform() }));
    try {
      for (
        const { title, code, epsilon, delta, relation: name, rows, size, bits } of inJavaScript
      ) {
        const relation = relationNamed(name)!;
        const subject = functionSubject(functionOf(code), {
          name: title,
          source: new SeededSource(1),
        });
        const { verdict } = await audit(subject, {
          claim: delta === 0
            ? pure({ epsilon, relation })
            : approximate({ epsilon, delta, relation }),
          domain: { rows, size },
          bits,
          seed: 1,
          alpha: ALPHA,
          maxDraws: TRUE_CLAIMS.includes(title) ? 10_000 : 50_000,
          shrink: false,
          requirePower: Infinity,
        });
        const expected = TRUE_CLAIMS.includes(title) ? "not-refuted" : "refuted";
        assertEquals(verdict, expected, title);
      }
    } finally {
      restore();
    }
  },
);

Deno.test("functionOf() takes a function, or statements with one named mechanism, and nothing else", () => {
  const source = {};
  assertEquals(functionOf("(rows) => rows")([1], source), [1]);
  assertEquals(functionOf("// One.\nfunction any([row]) { return row; }")([2], source), 2);
  const statements = "const two = 2;\nfunction mechanism(rows) { return rows.length * two; }";
  assertEquals(functionOf(statements)([1, 1], source), 4);
  for (const code of ["1 + 1", "const x = () => 1;", "function mechanism( {"]) {
    let problem: unknown;
    try {
      functionOf(code);
    } catch (error) {
      problem = error;
    }
    assert(problem instanceof TypeError || problem instanceof SyntaxError, code);
  }
});
