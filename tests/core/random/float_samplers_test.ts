import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { exponentialZiggurat } from "../../../lib/core/random/exponential_ziggurat.ts";
import { floatExponential } from "../../../lib/core/random/float_exponential.ts";
import { floatLaplace } from "../../../lib/core/random/float_laplace.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { normalZiggurat } from "../../../lib/core/random/normal_ziggurat.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  chiSquareFit,
  duplicates,
  FALSE_ALARM,
  kolmogorovSmirnovFit,
  meanFit,
  serialFit,
  signFit,
  varianceFit,
} from "./goodness_of_fit.ts";
import { gammaLaw, type Sampler, SAMPLERS } from "./sampler_laws.ts";
import { mutantSource, shortMantissa, signFromLayer, stuck } from "./mutant_source.ts";

// 80 statistical checks below, each with a false-alarm rate of at most 1e-7: 8e-6 for the file.

const DRAWS = 2_000_000;

/** A sampler as it is, but without the tail of its ziggurat: such draws are made again. */
function withoutTail(sample: Sampler, from: number): Sampler {
  return (source, out) => {
    sample(source, out);
    const again = new Float64Array(1);
    for (let i = 0; i < out.length; i++) {
      while (Math.abs(out[i]!) > from) out[i] = sample(source, again)[0]!;
    }
    return out;
  };
}

for (const { name, sample, law } of SAMPLERS) {
  const draw = (): Float64Array =>
    sample(new SeededSource("fit").split(name), new Float64Array(DRAWS));

  Deno.test(`${name}() fits R's distribution, tails to 1e-5 included`, () => {
    const draws = draw(), some = draws.subarray(0, 100_000);
    assert(chiSquareFit(draws, law) > FALSE_ALARM);
    assert(kolmogorovSmirnovFit(some, law) > FALSE_ALARM);
    assert(meanFit(draws, law) > FALSE_ALARM);
    assert(varianceFit(draws, law) > FALSE_ALARM);
    // Mutants, seen with a twentieth of the draws: a scale that is ten per cent off, and a shift of a
    // twentieth of the standard deviation.
    const off = some.map((x) => 1.1 * x);
    assert(chiSquareFit(off, law) < FALSE_ALARM);
    assert(kolmogorovSmirnovFit(off, law) < FALSE_ALARM);
    assert(varianceFit(off, law) < FALSE_ALARM);
    assert(meanFit(some.map((x) => x + 0.05 * Math.sqrt(law.variance)), law) < FALSE_ALARM);
  });

  Deno.test(`${name}() draws without serial correlation`, () => {
    const draws = draw();
    for (const lag of [1, 2, 3, 512, 2048]) {
      assert(serialFit(draws, law, lag) > FALSE_ALARM, `lag ${lag}`);
    }
  });
}

for (const { name, sample, law } of SAMPLERS.slice(0, 4)) {
  Deno.test(`${name}() shows in its serial correlation when blocks are not refilled`, () => {
    const mutant = mutantSource(new SeededSource("stuck"), stuck());
    const draws = sample(mutant, new Float64Array(1 << 16));
    assert(serialFit(draws, law, 2048) < FALSE_ALARM);
  });
}

Deno.test("the ziggurats' tails are drawn: their lack is seen by the test of fit", () => {
  const cases = [
    [SAMPLERS[1]!, 2 * exponentialZiggurat().tail],
    [SAMPLERS[2]!, 0.5 * exponentialZiggurat().tail],
    [SAMPLERS[3]!, 3 * normalZiggurat().tail],
  ] as const;
  for (const [{ sample, law }, from] of cases) {
    const mutant = withoutTail(sample, from);
    assert(chiSquareFit(mutant(new SeededSource(1), new Float64Array(DRAWS)), law) < FALSE_ALARM);
  }
});

for (const { name, sample, law } of [SAMPLERS[2]!, SAMPLERS[3]!]) {
  Deno.test(`${name}() draws the sign independently of the magnitude`, () => {
    const source = new SeededSource("sign").split(name);
    assert(signFit(sample(source, new Float64Array(DRAWS)), law) > FALSE_ALARM);
    const mutant = mutantSource(source, signFromLayer);
    assert(signFit(sample(mutant, new Float64Array(DRAWS)), law) < FALSE_ALARM);
  });
}

for (const { name, sample } of SAMPLERS.slice(1, 4)) {
  Deno.test(`${name}() has 53 random bits for the place in a layer`, () => {
    // 2²⁰ draws among 2⁶² values or so coincide with probability 2³⁹⁻⁶² = 1.2e-7.
    const count = 1 << 20;
    const source = new SeededSource("bits").split(name);
    assertEquals(duplicates(sample(source, new Float64Array(count))), 0);
    assert(duplicates(sample(mutantSource(source, shortMantissa), new Float64Array(count))) > 0);
  });
}

Deno.test("samplers fill every place when the length is no multiple of a block", () => {
  for (const { name, sample } of SAMPLERS) {
    for (const length of [0, 1, 2, 8, 9, 17, 512, 513, 2047, 2048, 2049, 5000]) {
      const out = new Float64Array(length).fill(NaN);
      assert(sample(new SeededSource(length), out) === out);
      assert(out.every(Number.isFinite), `${name}, length ${length}`);
    }
  }
});

Deno.test("samplers stay right when the source itself calls one", () => {
  const scratch = new Float64Array(3000);
  for (const { name, sample } of SAMPLERS) {
    const nested = mutantSource(new SeededSource(name), () => {
      floatLaplace(new SeededSource(2), scratch);
    });
    assertEquals(
      sample(nested, new Float64Array(5000)),
      sample(new SeededSource(name), new Float64Array(5000)),
    );
  }
});

Deno.test("samplers multiply by the scale when one is given", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      (seed, scale) => {
        for (const sample of [floatExponential, floatLaplace, floatNormal]) {
          const unit = sample(new SeededSource(seed), new Float64Array(50));
          const scaled = sample(new SeededSource(seed), new Float64Array(50), { scale });
          assertEquals(scaled, unit.map((x) => scale * x));
        }
      },
    ),
    { seed: 1, numRuns: 50 },
  );
});

Deno.test("floatGamma() fits because it rejects: its proposals alone do not", () => {
  const shape = 1, d = shape - 1 / 3, c = 1 / Math.sqrt(9 * d);
  const proposals = floatNormal(new SeededSource(3), new Float64Array(DRAWS))
    .map((x) => Math.max(0, d * (1 + c * x) ** 3));
  assert(chiSquareFit(proposals, gammaLaw(shape, 1)) < FALSE_ALARM);
});
