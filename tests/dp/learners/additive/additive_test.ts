import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { audit, mechanismSubject } from "../../../../lib/judge/audit/mod.ts";
import { deltaAt, gaussian } from "../../../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { AdditiveModel } from "../../../../lib/dp/learners/additive/additive_model.ts";
import {
  additiveNoise,
  type UnitNoise,
} from "../../../../lib/dp/learners/additive/additive_noise.ts";
import { joinBins, placesOf } from "../../../../lib/dp/learners/additive/bins.ts";
import { boost, residualSums } from "../../../../lib/dp/learners/additive/boost.ts";
import {
  additiveMechanism,
  type AdditiveOptions,
  sampleAdditive,
} from "../../../../lib/dp/learners/additive/fit_additive.ts";
import { encodeTable } from "../../../../lib/dp/learners/erm/files/column_encoder.ts";
import { readColumnDescription } from "../../../../lib/dp/learners/erm/files/read_column_description.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { rational } from "../../../../lib/core/numeric/rational.ts";
import { discreteGaussian } from "../../../../lib/core/random/discrete_gaussian.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { below, pick } from "../../../sweeps/draws.ts";

const { columns } = readColumnDescription({
  columns: [
    { name: "age", type: "number", min: 0, max: 100 },
    { name: "income", type: "number", min: 0, max: 1e6, scale: "log" },
    { name: "colour", type: "category", values: ["red", "<blue>", "green"] },
  ],
});
const OPTIONS: AdditiveOptions = { columns, epsilon: 1, delta: 1e-6, relation: replaceOne };

/** Rows of which the red ones and the old ones are positive. */
function table(
  count: number,
): { readonly rows: ReturnType<typeof encodeTable>; readonly labels: number[] } {
  const source = new SeededSource(4601);
  const cells = Array.from({ length: count }, () => [
    100 * source.uniform(),
    10 ** (6 * source.uniform()),
    pick(source, ["red", "<blue>", "green"]),
  ]);
  return {
    rows: encodeTable({ names: ["age", "income", "colour"], rows: cells }, { columns }),
    labels: cells.map(([age, , colour]) => colour === "red" || Number(age) > 70 ? 1 : -1),
  };
}

// Any scores: those of earlier rounds depend on what was released, and a row has the one of its bins. Mutants: residuals that are not cut
// off; cut off after they are added; rounded away from 0; labels that count twice.
Deno.test("a row moves one sum of residuals by at most the bound, and a row replaced moves them by two, whatever the scores are", () => {
  const source = new SeededSource(4602), stepsPerBound = 1024;
  let [most, mostReplaced] = [0, 0];
  for (let trial = 0; trial < 3000; trial++) {
    const size = 1 + below(source, 12), count = 1 + below(source, 4);
    const scoreOf = Array.from({ length: count }, () => pick(source, [0, 0.1, 3, -3, 700, -1e100]));
    const rows = Array.from({ length: size + 1 }, () => ({
      place: below(source, count),
      label: below(source, 2),
      // The other columns' part of the score.
      score: pick(source, [0, -2, 40, -800, 1e100]),
    }));
    const sums = (of: typeof rows): Float64Array =>
      residualSums({
        places: Uint8Array.from(of, ({ place }) => place),
        classes: Uint8Array.from(of, ({ label }) => label),
        scores: Float64Array.from(of, ({ place, score }) => scoreOf[place]! + score),
        count,
        stepsPerBound,
      });
    const all = sums(rows.slice(1)), fewer = sums(rows.slice(2));
    const replaced = sums([rows[0]!, ...rows.slice(2)]);
    const moved = (other: Float64Array): number[] =>
      [...all].map((sum, b) => Math.abs(sum - other[b]!) / stepsPerBound).filter((each) =>
        each > 0
      );
    const one = moved(fewer), two = moved(replaced);
    assert(one.length <= 1 && one.every((each) => each <= 1), `${one}`);
    assert(two.reduce((sum, each) => sum + each, 0) <= 2, `${two}`);
    most = Math.max(most, ...one);
    mostReplaced = Math.max(mostReplaced, Math.hypot(...two));
  }
  assertEquals([most, mostReplaced], [1, 2]);
});

// Sums of 0, where noise is 0, times a rate that overflows: scores, and from then on the sums of bins that hold rows alone, were no numbers.
Deno.test("scores stay numbers at the largest learning rate", () => {
  const none = {
    stepsPerUnit: 1,
    deviation: 1,
    noise: { ...discreteGaussian({ variance: rational(1) }), fill: (_, out) => out.fill(0) },
  } satisfies UnitNoise;
  const released: number[] = [];
  boost(new SeededSource(4604), {
    places: [Uint8Array.of(0, 0)],
    classes: Uint8Array.of(0, 1),
    bins: [{ categories: 2 }],
    noise: {
      ...additiveNoise({ ...OPTIONS, delta: 0, rounds: 2, columns: 1, bins: 2 }),
      counts: none,
      residuals: none,
    },
    rounds: 2,
    learningRate: Number.MAX_VALUE,
    onRelease: (values) => released.push(...values),
  });
  assertEquals(released, [2, 0, 0, 0, 0, 0]);
});

// Mutants: a category that a row may have twice; rows outside the bounds left out; the last edge left out.
Deno.test("every row is in one bin of each column, whatever its features are", () => {
  const features = [
    [0.5, 0.5, 0, 1, 0],
    [-1e300, 1e300, 0, 0, 0],
    [1, 0, 1, 1, 1],
    [0.25, 0.75, -1, -2, -0.5],
  ];
  const bins = [{ edges: [25, 50] }, { edges: [1] }, { categories: 3 }];
  const places = placesOf(denseRows(features), { columns, bins });
  assertEquals(places.map((each) => [...each]), [[2, 0, 2, 1], [1, 1, 0, 1], [1, 0, 0, 2]]);
});

Deno.test("bins are joined until each holds enough, by the noisy counts alone", () => {
  const join = (counts: number[], least: number) => {
    const { edges, joined } = joinBins({ edges: [1, 2, 3], counts, least });
    return { edges, joined: [...joined] };
  };
  assertEquals(join([5, -2, 4, 9], 5), { edges: [1], joined: [0, 1, 1, 1] });
  assertEquals(join([5, 5, 5, 4], 5), { edges: [1, 2], joined: [0, 1, 2, 2] });
  assertEquals(join([1, 1, 1, 1], 5), { edges: [], joined: [0, 0, 0, 0] });
});

// Mutants: the columns, the rounds or the relation left out of the scale; nine tenths for both; one count in place of two.
Deno.test("noise costs what is claimed, and no less by more than a thousandth of δ, by the deviations that are drawn", () => {
  const shape = { columns: 7, rounds: 5, bins: 100, epsilon: 0.3 };
  // The moves of a column's counts and sums: of two bins by 1 each, and of one bin by 2, where a row is replaced.
  for (
    const [relation, one, two, four] of [[addRemoveOne, 1, 1, 1], [replaceOne, 2, 2, 4]] as const
  ) {
    const pure = additiveNoise({ ...shape, delta: 0, relation });
    const spent = ({ deviation }: UnitNoise, releases: number): number =>
      one * releases / (deviation / Math.SQRT2);
    assertAlmostEquals(spent(pure.counts, 7) + spent(pure.residuals, 35), 0.3, 1e-15);
    const { counts, residuals } = additiveNoise({ ...shape, delta: 1e-6, relation });
    const mu = Math.sqrt(7 * two / counts.deviation ** 2 + 35 * four / residuals.deviation ** 2);
    const delta = deltaAt(gaussian({ mu, relation }), 0.3);
    assert(delta <= 0.999e-6 && delta > 0.998e-6, `${delta}`);
  }
});

// Mutants: one draw of noise for all rounds; half-widths of one round; of noise in other units.
Deno.test("noise leaves the half-width of a score in at most 5% of runs, and is fresh in every round", () => {
  const count = 4000, bins = [{ categories: 1 }];
  const none = { places: [new Uint8Array(0)], classes: new Uint8Array(0) };
  // α = 1e-6 a case, by the normal law.
  const far = 5;
  for (const [delta, rounds] of [[0, 1], [0, 3], [1e-6, 4]] as const) {
    const source = new SeededSource(4603 + rounds);
    const noise = additiveNoise({ ...OPTIONS, delta, rounds, columns: 1, bins: 1 });
    let outside = 0, squares = 0;
    for (let run = 0; run < count; run++) {
      const [shape] = boost(source, { ...none, bins, noise, rounds, learningRate: 0.1 });
      const ratio = shape!.scores[0]! / shape!.halfWidths[0]!;
      if (Math.abs(ratio) > 1) outside++;
      squares += ratio ** 2;
    }
    assert(outside / count <= 0.05 + far * Math.sqrt(0.05 * 0.95 / count), `${outside}`);
    const expected = 1 / (delta === 0 ? Math.log(20) / Math.SQRT2 : 1.96) ** 2;
    // Laplace draws have a kurtosis of 6, and sums of them less.
    assertAlmostEquals(squares / count / expected, 1, far * Math.sqrt(5 / count));
  }
});

Deno.test("it learns what columns do, keeps what it learned as JSON, and shows it", () => {
  const { rows, labels } = table(20_000);
  const model = sampleAdditive(new SeededSource(4604), { ...OPTIONS, rows, labels });
  assert(model.score(rows, labels) > 0.9, `${model.score(rows, labels)}`);
  const again = AdditiveModel.fromJSON(JSON.parse(JSON.stringify(model)));
  assertEquals(again.decisionValues(rows), model.decisionValues(rows));
  assertEquals(again.toJSON(), model.toJSON());
  const [age, , colour] = model.shapes;
  assert(age!.scores.at(-1)! > age!.scores[0]! && colour!.scores[0]! > colour!.scores[1]!);
  assertStringIncludes(`${model}`, "(1, 0.000001)-DP (replace-one)");
  assertStringIncludes(model.toSVG(), "&lt;blue&gt;: ");
  // Editing: what a colour adds is taken away.
  const shapes = model.shapes.with(2, { ...colour!, scores: [0, 0, 0] });
  const edited = new AdditiveModel({ ...model, shapes });
  assert(edited.score(rows, labels) < model.score(rows, labels));
});

Deno.test("models that are wrong are refused, with the field", () => {
  const model = sampleAdditive(new SeededSource(1), { ...OPTIONS, ...table(10) }).toJSON();
  const shapes = model.shapes as AdditiveModel["shapes"];
  const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ version: 2 }, "version"],
    [{ classes: ["a"] }, "classes"],
    [{ claim: { kind: "pure", epsilon: 0, relation: "replace-one" } }, "claim.epsilon"],
    [{ shapes: shapes.with(2, { ...shapes[2]!, scores: [1] }) }, "count a bin"],
    [{ shapes: shapes.with(0, { ...shapes[0]!, edges: [2, 1], scores: [0, 0, 0] }) }, "ascend"],
    [
      { shapes: shapes.with(2, { ...shapes[2]!, edges: [] }) },
      "shapes.2 must have edges for numbers",
    ],
    [{ shapes: [] }, "shapes"],
  ];
  for (const [fields, says] of wrong) {
    const error = assertThrows(() => AdditiveModel.fromJSON({ ...model, ...fields }), TypeError);
    assertStringIncludes(error.message, says);
  }
});

// α = 1e-3. A true claim passes, and half the noise on the sums of the only round does not.
Deno.test("an audit does not refute the claim, and refutes noise for another relation", async () => {
  const options = { columns: [columns[2]!], epsilon: 2, relation: replaceOne, rounds: 1 };
  const mechanism = additiveMechanism(options);
  const half = additiveMechanism({ ...options, relation: addRemoveOne });
  const pair = {
    left: [{ features: [1, 0, 0], label: 1 }],
    right: [{ features: [1, 0, 0], label: -1 }],
  };
  for (const [subject, verdict] of [[mechanism, "not-refuted"], [half, "refuted"]] as const) {
    const { verdict: said } = await audit(
      mechanismSubject({ ...subject, claim: mechanism.claim }, { source: new SeededSource(4605) }),
      {
        claim: mechanism.claim,
        pair: pair as never,
        maxDraws: 3000,
        seed: 1,
        alpha: 1e-3,
        shrink: false,
      },
    );
    assertEquals(said, verdict);
  }
});
