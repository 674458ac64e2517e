import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import type { DiscreteLaw } from "../../../../lib/core/mechanism/discrete_law.ts";
import type { Source } from "../../../../lib/core/mechanism/source.ts";
import { fit } from "../../../../lib/dp/learners/erm/fit.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { chooseFewest, fitTuned, sampleTuned } from "../../../../lib/dp/learners/erm/tune.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import type { SecureSource } from "../../../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { shuffle } from "../../../../lib/core/random/shuffle.ts";
import { generatedData } from "./generated_data.ts";

const base = { epsilon: 2, lambda: 0.02, normBound: 1 };

Deno.test("chooseFewest() chooses with probability ∝ e^(−ε·mistakes/2)", () => {
  const source = new SeededSource(85), count = 40_000;
  const mistakes = [3, 5, 4], epsilon = 1;
  const shares = mistakes.map((z) => Math.exp(-epsilon * z / 2));
  const total = shares.reduce((sum, share) => sum + share);
  const chosen = [0, 0, 0];
  for (let i = 0; i < count; i++) chosen[chooseFewest(source, { mistakes, epsilon })]!++;
  chosen.forEach((times, i) => {
    const p = shares[i]! / total;
    // |z| ≤ 4.5: false alarm 7e-6 each.
    assertAlmostEquals(times / count, p, 4.5 * Math.sqrt(p * (1 - p) / count));
  });
});

Deno.test("chooseFewest() draws from exact exponents ε·mistakes/2, however far apart, so that no index is rounded away", () => {
  const asked: DiscreteLaw[] = [];
  const seeded = new SeededSource(85);
  const source: Source = {
    kind: "seeded",
    uniform: () => seeded.uniform(),
    uint32: () => seeded.uint32(),
    fillUint32: (out) => seeded.fillUint32(out),
    split: (label) => seeded.split(label),
    branch: (law) => {
      asked.push(law);
      return 1;
    },
  };
  assertEquals(chooseFewest(source, { mistakes: [0, 20_000, 3], epsilon: 0.25 }), 1);
  assertEquals(asked, [{
    kind: "choice",
    weights: [0, 20_000, 3].map((z) => ({ exponent: rational(BigInt(z), 8n) })),
  }]);
});

Deno.test("sampleTuned() prefers the candidate that is plainly better, under the one claim", () => {
  const { rows, signs } = generatedData(86, { n: 3000, d: 3, flips: 0 });
  // With rows shrunk to nothing, only the intercept is left.
  const blind = { normBound: 1e-6, intercept: 1 };
  const candidates = [blind, {}, blind];
  const tuned = sampleTuned(new SeededSource(86), { ...base, rows, labels: signs, candidates });
  assertEquals(tuned.chosen, 1);
  assertEquals(tuned.model.claim.kind === "pure" && tuned.model.claim.epsilon, 2);
  assertEquals(tuned.model.training.rowCount, 750);
});

Deno.test("fitTuned() refuses seeded sources, too few rows, no candidates, bad candidates; unspent", () => {
  const { rows, signs } = generatedData(88, { n: 30, d: 2 });
  let spent = 0;
  const budget = { spend: (): void => void spent++ };
  const options = { ...base, candidates: [{}], budget };
  const source = new SeededSource(1) as unknown as SecureSource;
  assertThrows(() => fitTuned(rows, signs, { ...options, source }), TypeError, "must be secure");
  assertThrows(
    () => fitTuned(rows, signs, { ...options, candidates: [] }),
    RangeError,
    "candidates",
  );
  assertThrows(
    () => fitTuned(rows, signs, { ...options, candidates: [{ lambda: -1 }] }),
    RangeError,
    "lambda",
  );
  assertThrows(
    () => fitTuned(denseRows([[1], [2]]), [1, -1], { ...options, candidates: [{}, {}] }),
    RangeError,
    "rows",
  );
  const oneClass = new Float64Array(30).fill(1);
  assertThrows(
    () => fitTuned(rows, oneClass, { ...options, allowOneClass: false }),
    RangeError,
    "at least two classes",
  );
  assertEquals(spent, 0);
  fitTuned(rows, oneClass, { ...options, budget: { spend: () => {} } });
  fitTuned(rows, signs, options);
  assertEquals(spent, 1);
});

Deno.test("fitTuned() refuses candidates that carry an epsilon, or any field of no candidate, unspent", () => {
  const { rows, signs } = generatedData(89, { n: 30, d: 2 });
  const budget = {
    spend(): void {
      throw new Error("the budget was asked");
    },
  };
  const inherited = Object.create({ epsilon: 100 }) as Record<string, unknown>;
  const carried = [{ epsilon: 100 }, { delta: 0.5 }, { classes: [1, 2, 3] }, { budget }, inherited];
  for (const candidate of [...carried, { lamda: 1 }, { rows }, { labels: signs }]) {
    // Structurally fine where a candidate is expected, but for the check of literals.
    const candidates = [{}, candidate as { lambda?: number }];
    const options = { ...base, epsilon: 0.1, candidates, budget };
    assertThrows(
      () => fitTuned(rows, signs, options),
      RangeError,
      "candidates must have no fields",
    );
    assertThrows(
      () => sampleTuned(new SeededSource(1), { ...options, rows, labels: signs }),
      RangeError,
      "candidates must have no fields",
    );
  }
});

Deno.test("fitTuned() reads the fields of a candidate once, and leaves what is undefined as shared", () => {
  const { rows, signs } = generatedData(90, { n: 30, d: 2 });
  let asked = 0;
  const twoFaced = {
    get lambda(): number {
      return asked++ === 0 ? 0.5 : 1e-9;
    },
    normBound: undefined as unknown as number,
  };
  const { model } = fitTuned(rows, signs, {
    ...base,
    candidates: [twoFaced],
    budget: { spend: () => {} },
  });
  assertEquals([asked, model.training.lambda, model.preparation.normBound], [1, 0.5, 1]);
});

Deno.test("sampleTuned() trains candidate k on part k of the rows in random order, and on no other", () => {
  // Every row is of its own column, so that a model without noise shows which rows it was trained on.
  const count = 12, size = 3, n = (count + 1) * size;
  const rows = denseRows(
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => i === j ? 1 : 0)),
  );
  const labels = new Array<number>(n).fill(1);
  const seen = new Set<number>();
  for (let seed = 0; seed < 40; seed++) {
    const candidates = Array.from({ length: count }, () => ({}));
    const source = new SeededSource(91).split(seed);
    const { chosen, model } = sampleTuned(source, {
      epsilon: 1e9,
      lambda: 0.1,
      normBound: 1,
      rows,
      labels,
      candidates,
    });
    const order = shuffle(
      new SeededSource(91).split(seed),
      Int32Array.from({ length: n }, (_, i) => i),
    );
    const part = [...order.subarray(chosen * size, (chosen + 1) * size)].sort((a, b) => a - b);
    const trained = [...model.weights[0]!.keys()].filter((j) => model.weights[0]![j]! > 0.1);
    assertEquals(trained, part);
    seen.add(chosen);
  }
  assert(seen.size > 3, "several candidates were chosen");
});

Deno.test("fitTuned() asks whether a candidate can be solved on its part of the rows; unspent", () => {
  const { rows, signs } = generatedData(90, { n: 30, d: 2 });
  let spent = 0;
  const budget = { spend: (): void => void spent++ };
  // Noise of scale 2·normBound/(n·λ·ε) must be at most 1e60: it is 0.73e60 with 30 rows, 1.47e60 with 15.
  const options = { ...base, perturbation: "output", epsilon: 2 / (22 * 0.02 * 1e60) } as const;
  fit(rows, signs, { ...options, budget: { spend: (): void => {} } });
  assertThrows(
    () => fitTuned(rows, signs, { ...options, candidates: [{}], budget }),
    RangeError,
    "the scale of the noise",
  );
  assertEquals(spent, 0);
});

Deno.test("sampleTuned() refuses fewer rows than parts, and no candidates", () => {
  const options = { ...base, rows: denseRows([[1], [0.5]]), labels: [1, -1] };
  for (const [candidates, name] of [[[{}, {}], "rows"], [[], "candidates"]] as const) {
    assertThrows(
      () => sampleTuned(new SeededSource(1), { ...options, candidates }),
      RangeError,
      `${name} must be`,
    );
  }
});

Deno.test("fitTuned() asks for whole rows in a part: what is left over trains nothing", () => {
  const { rows, signs } = generatedData(95, { n: 31, d: 2 });
  const budget = {
    spend(): void {
      throw new Error("the budget was asked");
    },
  };
  // As above: with 15.5 rows the scale would be within 1e60, with 15 it is not.
  const options = { ...base, perturbation: "output", epsilon: 2 / (15.2 * 0.02 * 1e60) } as const;
  assertThrows(
    () => fitTuned(rows, signs, { ...options, candidates: [{}], budget }),
    RangeError,
    "the scale of the noise",
  );
});
