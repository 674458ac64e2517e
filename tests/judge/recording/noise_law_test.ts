import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  distributionAt,
  expressionOf,
  identifyLaw,
} from "../../../lib/judge/recording/noise_law.ts";
import type { Atom, Form } from "../../../lib/judge/recording/recording.ts";

const at = "program.py:1";
const uniform: Atom = { law: "uniform", at }, exponential: Atom = { law: "exponential", at };
const of = (name: string, ...given: (Form | number)[]): Atom => ({
  law: "derived",
  at,
  function: name,
  of: given,
});

Deno.test("the law of noise made of other noise is found by sampling it", () => {
  // u − ½ drawn to a Laplace variable by its inverse distribution: −s·sign(u − ½)·ln(1 − 2|u − ½|).
  const inverse: Atom[] = [
    uniform,
    of("sign", [-0.5, [[0, 1]]]),
    of("absolute", [-0.5, [[0, 1]]]),
    of("log", [1, [[2, -2]]]),
    of("multiply", [0, [[1, 1]]], [0, [[3, 1]]]),
  ];
  assertEquals(identifyLaw([[4, -3]], inverse), { law: "laplace", scale: 3 });
  const boxMuller: Atom[] = [
    uniform,
    uniform,
    of("log", [0, [[0, 1]]]),
    of("sqrt", [0, [[2, -2]]]),
    of("cos", [0, [[1, 2 * Math.PI]]]),
    of("multiply", [0, [[3, 1]]], [0, [[4, 1]]]),
  ];
  assertEquals(identifyLaw([[5, 0.5]], boxMuller), { law: "normal", scale: 0.5 });
  const ratio: Atom[] = [
    uniform,
    uniform,
    of("divide", [0, [[0, 1]]], [0, [[1, 1]]]),
    of("log", [0, [[2, 1]]]),
  ];
  assertEquals(identifyLaw([[3, 2]], ratio), { law: "laplace", scale: 2 });
  const three = identifyLaw([[0, 1], [1, -1], [2, 2]], [exponential, exponential, exponential]);
  assertEquals(three.law === "laplace" || three.law === "normal", false);
  assertEquals(identifyLaw([[1, 1]], [uniform, of("nobody_knows", [0, [[0, 1]]])]).law, "unknown");
});

// Sampling cannot tell a sum of four uniform numbers from a normal one, which pays for more.
Deno.test("noise that cannot leave a range has none of the laws", () => {
  const unknown = { law: "unknown", scale: NaN };
  const twelve = Array.from({ length: 12 }, () => uniform);
  const sum = twelve.map((_, i) => [i, 1] as const);
  assertEquals(identifyLaw(sum.slice(0, 4), twelve), unknown);
  assertEquals(identifyLaw(sum, twelve).law, "normal");
  const squares = twelve.slice(0, 6).flatMap((each) => [each, of("square", [0, [[0, 1]]])]);
  assertEquals(identifyLaw([[1, 1], [0, 2]], squares), unknown);
});

Deno.test("expressions name noise by where it stands in them, and not by when it was drawn", () => {
  const atoms: Atom[] = [uniform, exponential, of("log", [0, [[1, 2]]]), of("log", [0, [[3, 2]]])];
  const late: Atom[] = [...atoms.slice(0, 2), atoms[2]!, exponential, of("log", [0, [[3, 2]]])];
  assertEquals(
    expressionOf([0, [[2, 1]]], atoms, new Map()),
    expressionOf([0, [[4, 1]]], late, new Map()),
  );
});

Deno.test("distributions of standard noise have their quartiles", () => {
  for (
    const [law, x, p] of [
      ["uniform", 0.25, 0.25],
      ["laplace", -Math.LN2, 0.25],
      ["laplace", Math.LN2, 0.75],
      ["exponential", Math.LN2, 0.5],
      ["exponential", -1, 0],
      ["gumbel", -Math.log(Math.LN2), 0.5],
      ["logistic", Math.log(3), 0.75],
    ] as const
  ) assertAlmostEquals(distributionAt(law, x)!, p, 1e-12);
  assertEquals(distributionAt("derived", 0), undefined);
});
