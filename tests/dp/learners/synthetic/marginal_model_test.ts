import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { drawRows } from "../../../../lib/dp/learners/synthetic/draw_rows.ts";
import { expectedMarginals } from "../../../../lib/dp/learners/synthetic/expected_marginals.ts";
import { junctionTree, treeCells } from "../../../../lib/dp/learners/synthetic/junction_tree.ts";
import { MarginalModel } from "../../../../lib/dp/learners/synthetic/marginal_model.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/** Up to five attributes, and sets of up to three of them, most of them pairs, which make cycles. */
const graphs = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }).chain(
  (shape) => {
    const subsets = (most: number): fc.Arbitrary<number[]> =>
      fc.subarray([...shape.keys()], { minLength: 1, maxLength: Math.min(most, shape.length) });
    return fc.record({
      shape: fc.constant(shape),
      sets: fc.array(fc.oneof(subsets(3), subsets(2), subsets(2)), { minLength: 1, maxLength: 7 }),
      more: subsets(3),
      seed: fc.nat(),
    });
  },
);

/** All rows of a shape, the last attribute fastest. */
function allRows(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (rows, values) =>
      rows.flatMap((row) => Array.from({ length: values }, (_, code) => [...row, code])),
    [[]],
  );
}

/** A marginal of a law over all rows, by brute force. */
function sumOver(
  law: readonly number[],
  shape: readonly number[],
  kept: readonly number[],
): number[] {
  const out = allRows(kept.map((attribute) => shape[attribute]!)).map(() => 0);
  allRows(shape).forEach((row, i) => {
    const place = kept.reduce((at, attribute) => at * shape[attribute]! + row[attribute]!, 0);
    out[place]! += law[i]!;
  });
  return out;
}

/** The law of largest entropy with the marginals of another, by iterative proportional fitting over all rows (Csiszár 1975). */
function mostEntropy(
  truth: readonly number[],
  shape: readonly number[],
  sets: readonly (readonly number[])[],
): number[] {
  const rows = allRows(shape);
  let law = rows.map(() => 1 / rows.length);
  for (let pass = 0; pass < 300; pass++) {
    for (const set of sets) {
      const [is, ought] = [sumOver(law, shape, set), sumOver(truth, shape, set)];
      const place = (row: number[]): number =>
        set.reduce((at, attribute) => at * shape[attribute]! + row[attribute]!, 0);
      law = law.map((p, i) => p * ought[place(rows[i]!)]! / is[place(rows[i]!)]!);
    }
  }
  return law;
}

function randomLaw(shape: readonly number[], source: SeededSource): number[] {
  const weights = allRows(shape).map(() => 0.1 + source.uniform());
  const total = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / total);
}

Deno.test("junctionTree() holds every set in a clique, and each attribute's cliques are connected", () => {
  fc.assert(
    fc.property(graphs, ({ shape, sets }) => {
      const { cliques, parents, separators, cells } = junctionTree(shape, sets);
      for (const set of sets) {
        assert(cliques.some((clique) => set.every((each) => clique.includes(each))));
      }
      cliques.forEach((clique, i) => {
        assert(i === 0 ? parents[i] === -1 : parents[i]! >= 0 && parents[i]! < i);
        assertEquals(separators[i], clique.filter((each) => cliques[parents[i]!]?.includes(each)));
        // None is in another.
        assert(
          !cliques.some((other, j) => j !== i && clique.every((each) => other.includes(each))),
        );
      });
      // An attribute is new in exactly one clique: so those that hold it are connected.
      const fresh = cliques.flatMap((clique, i) =>
        clique.filter((each) => !separators[i]!.includes(each))
      );
      assertEquals(fresh.toSorted((a, b) => a - b), [...shape.keys()]);
      assertEquals(treeCells(shape, sets), cells);
    }),
    { numRuns: 300, seed: 31 },
  );
});

Deno.test("MarginalModel finds the law of largest entropy that brute force does, and its marginals", () => {
  fc.assert(
    fc.property(graphs, ({ shape, sets, more, seed }) => {
      const truth = randomLaw(shape, new SeededSource(seed)), size = 1000;
      const law = mostEntropy(truth, shape, sets);
      const marginals = sets.map((attributes) => ({
        attributes,
        values: sumOver(truth, shape, attributes).map((p) => size * p),
        variance: 1 + attributes.length,
      }));
      const model = new MarginalModel({ shape, size, marginals });
      model.fit(1000);
      for (const { attributes, beliefs } of model.cliques) {
        sumOver(law, shape, attributes).forEach((p, i) => assertAlmostEquals(beliefs[i]!, p, 1e-3));
      }
      // The same factors on another tree are the same law.
      const other = new MarginalModel({
        shape,
        size,
        marginals: [
          { attributes: more, values: sumOver(truth, shape, more), variance: 1 },
          ...marginals,
        ],
        start: model,
      });
      const expected = expectedMarginals(model), again = expectedMarginals(other);
      for (const [key, values] of expected) {
        if (sets.every((set) => set.join() !== more.join())) {
          values.forEach((value, i) => assertAlmostEquals(again.get(key)![i]!, value, 1e-6));
        }
      }
      assertEquals(expected.size, shape.length * (shape.length + 1) / 2);
      for (const [key, values] of expected) {
        sumOver(law, shape, key.split(",").map(Number)).forEach((p, i) =>
          assertAlmostEquals(values[i]!, size * p, 2)
        );
      }
    }),
    { numRuns: 40, seed: 32 },
  );
});

Deno.test("MarginalModel weighs what was measured twice by precision, and keeps its factors in a larger model", () => {
  const shape = [2, 2];
  const twice = [{ attributes: [0], values: [40, 60], variance: 1 }, {
    attributes: [0],
    values: [60, 40],
    variance: 4,
  }];
  const model = new MarginalModel({ shape, size: 100, marginals: twice });
  model.fit(500);
  const [first] = expectedMarginals(model).get("0")!;
  assertAlmostEquals(first!, (40 + 60 / 4) / (1 + 1 / 4), 1e-2);
  const larger = new MarginalModel({
    shape,
    size: 100,
    marginals: [...twice, { attributes: [0, 1], values: [11, 33, 28, 28], variance: 1 }],
    start: model,
  });
  assertAlmostEquals(expectedMarginals(larger).get("0")![0]!, first!, 1e-9);
});

Deno.test("drawRows() shares out the rows of each cell of a separator by the conditional law, to less than one row", () => {
  fc.assert(
    fc.property(graphs, fc.nat(500), ({ shape, sets, seed }, count) => {
      const source = new SeededSource(seed), truth = randomLaw(shape, source);
      const marginals = sets.map((attributes) => ({
        attributes,
        values: sumOver(truth, shape, attributes).map((p) => 1000 * p),
        variance: 1,
      }));
      const model = new MarginalModel({ shape, size: 1000, marginals });
      model.fit(100);
      const rows = drawRows(model, source, count);
      assertEquals(rows.length, count);
      for (const { attributes, beliefs, places, scales } of model.cliques) {
        const drawn = beliefs.map(() => 0), at = scales.map(() => 0), law = scales.map(() => 0);
        for (const row of rows) {
          drawn[attributes.reduce((cell, each) => cell * shape[each]! + row[each]!, 0)]! += 1;
        }
        beliefs.forEach((belief, cell) => {
          at[places[cell]!]! += drawn[cell]!;
          law[places[cell]!]! += belief;
        });
        beliefs.forEach((belief, cell) => {
          const place = places[cell]!, expected = at[place]! * belief / law[place]!;
          assert(Math.abs(drawn[cell]! - expected) < 1 + 1e-6);
        });
      }
    }),
    { numRuns: 100, seed: 33 },
  );
});
