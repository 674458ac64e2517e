import { assertEquals } from "@std/assert";
import type { DiscreteLaw } from "../../../../lib/core/mechanism/discrete_law.ts";
import { lawKey } from "../../../../lib/judge/exact/enumeration/law_key.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";

// Mutants: a key without the kind, the denominators, the multiplicities or all weights but the first.
Deno.test("lawKey() is the same for equal laws only", () => {
  const [half, third, zero] = [rational(1, 2), rational(1, 3), rational(0)];
  const laws: DiscreteLaw[] = [
    { kind: "geometric", rate: half },
    { kind: "discrete laplace", rate: half },
    { kind: "discrete gaussian", variance: half },
    { kind: "exponential coin", exponent: half },
    { kind: "geometric", rate: third },
    { kind: "uniform", below: 2n },
    { kind: "uniform", below: 3n },
    { kind: "choice", weights: [{ exponent: half }, { exponent: zero }] },
    { kind: "choice", weights: [{ exponent: half }, { exponent: zero, multiplicity: 2n }] },
    { kind: "choice", weights: [{ exponent: half }, { exponent: third }] },
    { kind: "choice", weights: [{ exponent: half }] },
  ];
  assertEquals(new Set(laws.map(lawKey)).size, laws.length);
  assertEquals(lawKey({ kind: "geometric", rate: rational(2, 4) }), lawKey(laws[0]!));
});
