import { assert, assertEquals } from "@std/assert";
import { DensityPredictor } from "../../../../lib/judge/audit/model/density/density_predictor.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

const none = new Float64Array();

/** Draws so many outputs one by one, with fair coins, and returns what was gained by what was predicted of them, in nats. */
function gained(draws: number, outputOf: (side: number, source: SeededSource) => number): number {
  const predictor = new DensityPredictor(), source = new SeededSource(7);
  predictor.learn({ rows: none, labels: new Uint8Array(), width: 1 });
  let sum = 0;
  for (let i = 0; i < draws; i++) {
    const side = source.uniform() < 0.5 ? 0 : 1;
    const output = Float64Array.of(outputOf(side, source));
    const [left, right] = side === 0 ? [output, none] : [none, output];
    const batch = predictor.count({ left, right }, 1)!;
    const at = batch.counts.indexOf(1), odds = batch.odds[at >> 1]!;
    sum += Math.LN2 - Math.log1p(Math.exp(side === 1 ? -odds : odds));
    assertEquals([at % 2, batch.before[at & ~1]], [side, 0]);
  }
  return sum;
}

const laplace = (source: SeededSource): number =>
  Math.log(source.uniform()) - Math.log(source.uniform());

// Mutants: a scale of one side in the place of the other; kernels that count all outputs; weights that are never updated.
Deno.test("densities tell scales, shifts and values that come twice after some dozen outputs, and lose little where there is nothing", () => {
  assert(gained(100, (side, source) => laplace(source) * 4 ** side) > 15);
  assert(gained(100, (side, source) => laplace(source) + 3 * side) > 15);
  assert(gained(60, (side, source) => source.uniform() < 0.5 ? side * 1e-3 : laplace(source)) > 10);
  assert(gained(200, (_, source) => laplace(source)) > -3);
  assert(gained(100, (side) => 5 + side) > 40);
  assert(Math.abs(gained(100, () => 5)) < 3);
});

// Mutants: rare cells that are of both datasets as often as others.
Deno.test("densities take a rare value that came on one side alone for one of that side, and lose little where rare values tell nothing", () => {
  const rarely = (source: SeededSource, side: number): number =>
    source.uniform() < 0.8
      ? Number(source.uniform() < 0.5)
      : 10 + 2 * Math.floor(5 * source.uniform()) + side;
  assert(gained(150, (side, source) => rarely(source, side)) > 13);
  assert(gained(150, (_, source) => rarely(source, 0)) > -3);
});

// Mutants: a spread of 0 or NaN that is divided by; what is no number in the median.
Deno.test("densities tell what is no number apart by equality alone", () => {
  assert(gained(50, (side) => side === 0 ? NaN : Infinity) > 20);
  assert(Number.isFinite(gained(50, (side, source) => source.uniform() < 0.5 ? side : NaN)));
});

// Mutants: places of numbers that are not finite, or whose squares are not.
Deno.test("densities tell outputs apart among others that are as large as doubles get", () => {
  for (const largest of [Number.MAX_VALUE, 1e200]) {
    const rarely = (source: SeededSource, usual: number): number =>
      source.uniform() < 0.2 ? largest * Math.sign(source.uniform() - 0.5) : usual;
    assert(gained(100, (side, source) => rarely(source, 0.1 * laplace(source) + side)) > 15);
    assert(gained(100, (_, source) => rarely(source, 0.1 * laplace(source))) > -5);
  }
});

// Mutants: an output beyond all of one side at even odds; one that has one draw beyond it at odds; families that end with the kernels.
Deno.test("densities tell outputs beyond all of the other side, and shifts that show in thousands of outputs alone", () => {
  const rarely = (side: number, source: SeededSource): number =>
    side === 0 && source.uniform() < 0.01 ? -source.uniform() : source.uniform();
  assert(gained(5000, rarely) > 6);
  assert(gained(2500, (side, source) => laplace(source) + 0.3 * side) > 15);
  assert(gained(2500, (_, source) => source.uniform()) > -4);
});

Deno.test("densities of many columns end after 4,096 numbers, and no odds are beyond those of the cells that lost draws may fall into", () => {
  const predictor = new DensityPredictor(), source = new SeededSource(3);
  predictor.learn({ rows: none, labels: new Uint8Array(), width: 16 });
  for (let i = 0; i < 17; i++) {
    const [left, right] = [0, 1e6].map((at) =>
      Float64Array.from({ length: 8 * 16 }, () => at + laplace(source))
    ) as [Float64Array, Float64Array];
    const batch = predictor.count({ left, right }, 16);
    assertEquals(batch === undefined, i === 16);
    if (batch === undefined) break;
    assert(batch.odds.every((own) => Math.abs(own) <= 9));
    assert(batch.odds.includes(9) && batch.odds.includes(-9));
  }
});
