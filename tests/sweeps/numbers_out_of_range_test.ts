import { assertEquals } from "@std/assert";
import fc from "fast-check";
import * as accounting from "../../lib/dp/accounting/mod.ts";
import * as claims from "../../lib/core/mod.ts";
import { betaQuantile } from "../../lib/core/numeric/beta_quantile.ts";
import { logBinomialTail } from "../../lib/core/numeric/binomial_tail.ts";
import {
  clopperPearsonLower,
  clopperPearsonUpper,
} from "../../lib/core/numeric/clopper_pearson.ts";
import { dyadicOf } from "../../lib/core/numeric/dyadic.ts";
import { logIncompleteBeta } from "../../lib/core/numeric/incomplete_beta.ts";
import { logGamma } from "../../lib/core/numeric/log_gamma.ts";
import { nextDown, nextUp } from "../../lib/core/numeric/round_outward.ts";
import * as random from "../../lib/core/random/mod.ts";
import { FACTORIES } from "../dp/mechanisms/manifest.ts";
import { LEARNERS } from "./calls_with_options.ts";

// Numbers out of range: of each parameter that is a number, its range once. Values just outside its ends and generated ones beyond them
// are refused in a sentence that names the parameter, the rule and the value; ends that belong to the range are taken.

/** A range of numbers: `(0, ∞)`, `[0, 1)`, or whole numbers `1..4`. */
type Range = string;

interface Parsed {
  readonly whole: boolean;
  readonly low: number;
  readonly high: number;
  readonly lowIn: boolean;
  readonly highIn: boolean;
}

function parsed(range: Range): Parsed {
  const [, open, low, between, high, close] = /^([[(]?)(.+?)(, |\.\.)(.+?)([\])]?)$/.exec(
    range.replaceAll("∞", "Infinity"),
  )!;
  const whole = between === "..";
  return {
    whole,
    low: Number(low),
    high: whole && high === "Infinity" ? Number.MAX_SAFE_INTEGER : Number(high),
    lowIn: whole || open === "[",
    highIn: whole || close === "]",
  };
}

function isIn({ whole, low, high, lowIn, highIn }: Parsed, value: number): boolean {
  if (whole && !Number.isInteger(value)) return false;
  return (lowIn ? value >= low : value > low) && (highIn ? value <= high : value < high);
}

/** Values just outside: the first that the rule must refuse on either side, and what is no number of its kind. */
function outside(range: Parsed): readonly number[] {
  const { whole, low, high, lowIn, highIn } = range;
  const below = whole ? low - 1 : lowIn ? nextDown(low) : low;
  const above = whole ? high + 1 : highIn ? nextUp(high) : high;
  const fraction = whole ? [Math.min(high, 2) - 0.5] : [];
  return [below, above, Infinity, -Infinity, NaN, ...fraction].filter((value) =>
    !isIn(range, value)
  );
}

/** Generated values beyond the ends, and fractions where whole numbers are asked. */
const generated = (range: Parsed): fc.Arbitrary<number> =>
  fc.double({ noNaN: true }).filter((value) => !isIn(range, value));

interface Call {
  readonly name: string;
  readonly run: (given: never) => unknown;
  readonly right: Readonly<Record<string, unknown>>;
}

const POSITIVE = "(0, ∞)", AT_LEAST_0 = "[0, ∞)", CHANCE = "(0, 1)", DELTA = "[0, 1)";
const COUNT = "1..∞", RATE = "(0, 1]", FINITE = "(-∞, ∞)", ORDER = "(1, ∞)";

/** The range of each number, by its name; where a function has another one, its name stands before it. */
const RANGES: Readonly<Record<string, Range>> = {
  ...{ epsilon: POSITIVE, rho: POSITIVE, mu: POSITIVE, delta: CHANCE, order: ORDER, orders: ORDER },
  ...{ sensitivity: POSITIVE, granularity: POSITIVE, dimension: COUNT, bits: COUNT, hashes: COUNT },
  ...{ keep: CHANCE, forget: CHANCE, level: "[0, 1]", threshold: FINITE, reach: "0..4" },
  ...{ steps: COUNT, queries: COUNT, rounds: COUNT, count: COUNT, mostAnswers: COUNT, size: COUNT },
  ...{ columnCount: COUNT, rowCount: COUNT, inputCount: COUNT, classCount: "2..∞" },
  ...{ lambda: POSITIVE, normBound: POSITIVE, tolerance: POSITIVE, noiseShare: CHANCE },
  ...{ intercept: POSITIVE, weightNorm: POSITIVE, variance: POSITIVE, rate: RATE, clip: POSITIVE },
  ...{ noiseMultiplier: POSITIVE, learningRate: POSITIVE, cells: COUNT, clusters: COUNT },
  ...{ margin: POSITIVE, failure: CHANCE, error: CHANCE, excess: CHANCE, least: CHANCE },
  ...{ classes: "2..∞", depth: "0..∞", replays: "0..∞", noiseScale: POSITIVE, blocks: COUNT },
  ...{ bound: POSITIVE, hypotheses: COUNT, ones: POSITIVE, zeros: POSITIVE, samples: COUNT },
  ...{ resolution: "2..∞", deviation: POSITIVE, scale: POSITIVE, shape: POSITIVE, sigma: POSITIVE },
  ...{ slack: CHANCE, parts: COUNT, amount: POSITIVE, tunedFor: POSITIVE, pureEpsilon: "(0, ∞]" },
  ...{ most: COUNT, apart: COUNT, coefficients: FINITE, mean: POSITIVE, eta: "(-1, ∞)" },
  ...{ gamma: CHANCE, value: FINITE, a: POSITIVE, b: POSITIVE, alpha: CHANCE, chosen: "1..4" },
  ...{ below: `1..${2 ** 53}`, seed: `${Number.MIN_SAFE_INTEGER}..∞`, n: "0..∞", p: "[0, 1]" },
  ...{ probability: "[0, 1]", logProbability: "[-∞, 0]", successes: "0..2", trials: COUNT },
  "approximate delta": DELTA,
  "deltaAt epsilon": AT_LEAST_0,
  "logBinomialTail k": `${Number.MIN_SAFE_INTEGER}..∞`,
  "logIncompleteBeta x": "[0, 1]",
  "logGamma x": POSITIVE,
  "calibrate count": `1..${2 ** 24}`,
  ...{ "advancedComposition epsilon": AT_LEAST_0, "advancedComposition delta": DELTA },
  "advancedComposition count": "0..∞",
  ...{ "basicComposition epsilon": AT_LEAST_0, "basicComposition delta": DELTA },
  ...{ "kairouzComposition epsilon": AT_LEAST_0, "kairouzComposition delta": DELTA },
  ...{ "optimalDelta epsilon": AT_LEAST_0, "optimalDelta delta": DELTA },
  ...{ "optimalDelta count": "0..∞", "optimalEpsilon delta": DELTA },
  ...{ "renyiDelta epsilon": AT_LEAST_0, "zcdpComposition rho": AT_LEAST_0 },
  ...{ "deltaBounds epsilon": AT_LEAST_0, "approximateLoss delta": DELTA },
  "allocatedParts steps": `2..${2 ** 20}`,
  ...{ "subsampledParameters epsilon": AT_LEAST_0, "subsampledParameters delta": DELTA },
  ...{ "fit delta": DELTA, "fitTuned delta": DELTA, "ermMechanism delta": DELTA },
  ...{
    "suggestedLambda delta": DELTA,
    "fitAdditive delta": DELTA,
    "additiveMechanism delta": DELTA,
  },
  ...{ "fitPerceptron tolerance": AT_LEAST_0, "fitConjunction error": POSITIVE },
  ...{ "dirichletMultinomial resolution": "3..∞", "keepOrReplace size": "2..∞" },
};

const relation = claims.addRemoveOne, source = new random.SeededSource(1);
const loss = accounting.laplaceLoss({ epsilon: 1 }), curve = accounting.zcdpRenyi({ rho: 1 });
const columns = accounting.treeColumns({ steps: 3 });
const pure = claims.pure({ epsilon: 1, relation });
const doubles = (): Float64Array<ArrayBuffer> => new Float64Array(1);

/** Numbers by name, as the functions that are called declare them. */
// deno-lint-ignore no-explicit-any
type Given = any;

const CLAIMS: Readonly<Record<string, Call["right"]>> = {
  pure: { epsilon: 1 },
  zcdp: { rho: 1 },
  gaussian: { mu: 1 },
  renyi: { order: 2, epsilon: 1 },
  approximate: { epsilon: 1, delta: 0.1 },
};
const call = (name: string, right: Call["right"], run: (given: Given) => unknown): Call => ({
  name,
  right,
  run: run as never,
});

/** Functions of core and accounting, of which no list has the options. */
const CALLS: readonly Call[] = [
  ...[claims.pure, claims.zcdp, claims.gaussian, claims.renyi, claims.approximate].map((make) =>
    call(make.name, CLAIMS[make.name]!, (n) => make({ ...n, relation } as never))
  ),
  call("deltaAt", { epsilon: 0 }, ({ epsilon }) => claims.deltaAt(pure, epsilon)),
  call(
    "betaQuantile",
    { logProbability: -1 },
    (n) => betaQuantile(n.logProbability, { a: 2, b: 3 }),
  ),
  call("logBinomialTail", { k: 1, n: 2, p: 0.5 }, ({ k, n, p }) => logBinomialTail(k, n, p)),
  ...[clopperPearsonLower, clopperPearsonUpper].map((bound) =>
    call(bound.name, { successes: 1, trials: 2, alpha: 0.1 }, bound)
  ),
  call("dyadicOf", { value: 1 }, ({ value }) => dyadicOf(value)),
  call(
    "logIncompleteBeta",
    { x: 0.5, a: 1, b: 1 },
    ({ x, a, b }) => logIncompleteBeta(x, { a, b }),
  ),
  call("logGamma", { x: 1 }, ({ x }) => logGamma(x)),
  call("bernoulli", { probability: 0.5 }, (n) => random.bernoulli(source, new Uint8Array(1), n)),
  ...[random.floatExponential, random.floatLaplace, random.floatNormal].map((sample) =>
    call(sample.name, { scale: 1 }, (n) => sample(source, doubles(), n))
  ),
  call("floatGamma", { shape: 1, scale: 1 }, (n) => random.floatGamma(source, doubles(), n)),
  call("randomInteger", { below: 6 }, (n) => random.randomInteger(source, n)),
  call("SeededSource", { seed: 1 }, ({ seed }) => new random.SeededSource(seed)),
  call("share", { amount: 1, parts: 2 }, ({ amount, parts }) => accounting.share(amount, parts)),
  call(
    "privacyOdometer",
    { slack: 0.1, tunedFor: 1 },
    ({ slack, tunedFor }) => accounting.privacyOdometer({ slack, tunedFor: [tunedFor] }),
  ),
  call("calibrate", { count: 2, rate: 0.5 }, (n) => {
    const target = claims.approximate({ epsilon: 1, delta: 0.1, relation });
    accounting.calibrate(target, { find: "sigma", ...n });
  }),
  call("advancedComposition", { epsilon: 1, delta: 0.1, count: 2, slack: 0.1 }, (n) => {
    const { epsilon, delta, ...options } = n;
    accounting.advancedComposition({ epsilon, delta }, options);
  }),
  call(
    "advancedEpsilonOfEach",
    { epsilon: 1, count: 2, slack: 0.1 },
    accounting.advancedEpsilonOfEach,
  ),
  call("basicComposition", { epsilon: 1, delta: 0.1 }, (n) => accounting.basicComposition([n])),
  call(
    "kairouzComposition",
    { epsilon: 1, delta: 0.1, slack: 0.1 },
    ({ slack, ...n }) => accounting.kairouzComposition([n as never], { slack }),
  ),
  call("groupPrivacy", { size: 2 }, (n) => accounting.groupPrivacy(pure, n)),
  call(
    "optimalDelta",
    { epsilon: 1, delta: 0.1, count: 2 },
    (n) => accounting.optimalDelta([n], { epsilon: 1 }),
  ),
  call(
    "optimalDelta",
    { epsilon: 1 },
    (n) => accounting.optimalDelta([{ epsilon: 0.1, count: 2 }], n),
  ),
  call(
    "optimalEpsilon",
    { delta: 0.1 },
    (n) => accounting.optimalEpsilon([{ epsilon: 0.1, count: 2 }], n),
  ),
  call("gaussianRenyi", { mu: 1 }, accounting.gaussianRenyi),
  call("zcdpRenyi", { rho: 1 }, accounting.zcdpRenyi),
  call("laplaceRenyi", { epsilon: 1 }, accounting.laplaceRenyi),
  call("pureRenyi", { epsilon: 1 }, accounting.pureRenyi),
  call(
    "renyiEpsilon",
    { delta: 0.1, orders: 2 },
    ({ delta, orders }) => accounting.renyiEpsilon(curve, { delta, orders: [2, orders] }),
  ),
  call(
    "renyiDelta",
    { epsilon: 1, orders: 2 },
    ({ epsilon, orders }) => accounting.renyiDelta(curve, { epsilon, orders: [2, orders] }),
  ),
  call("tunedRenyi", { mean: 1 }, (n) => accounting.tunedRenyi(curve, n)),
  call("tunedRenyi", { eta: 1, gamma: 0.5 }, (n) => accounting.tunedRenyi(curve, n)),
  ...(["optimal", "bun-steinke"] as const).map((conversion) =>
    call(
      "zcdpEpsilon",
      { rho: 1, delta: 0.1 },
      ({ rho, delta }) => accounting.zcdpEpsilon({ rho }, { delta, conversion }),
    )
  ),
  call("zcdpComposition", { rho: 1 }, (n) => accounting.zcdpComposition([n])),
  call("zcdpOfBoundedRange", { epsilon: 1 }, accounting.zcdpOfBoundedRange),
  call("largestRho", { epsilon: 1, delta: 0.1 }, accounting.largestRho),
  call(
    "bandedColumns",
    { steps: 2, coefficients: 1 },
    ({ steps, coefficients }) => accounting.bandedColumns([coefficients], { steps }),
  ),
  call("matrixSensitivity", { most: 1, apart: 1 }, (n) => accounting.matrixSensitivity(columns, n)),
  call("matrixClaim", { sigma: 1 }, (n) => accounting.matrixClaim(columns, { ...n, relation })),
  call(
    "deltaBounds",
    { epsilon: 1, count: 2 },
    ({ epsilon, count }) => accounting.deltaBounds([{ loss, count }], { epsilon }),
  ),
  call("epsilonBounds", { delta: 0.1 }, (n) => accounting.epsilonBounds([{ loss, count: 1 }], n)),
  call("approximateLoss", { epsilon: 1, delta: 0.1 }, accounting.approximateLoss),
  call("laplaceLoss", { epsilon: 1 }, accounting.laplaceLoss),
  call("gaussianLoss", { mu: 1 }, accounting.gaussianLoss),
  call(
    "allocatedParts",
    { steps: 4, chosen: 2, count: 1 },
    // Of two values: 2²⁰ steps of others take seconds.
    (n) => accounting.allocatedParts(accounting.approximateLoss({ epsilon: 1, delta: 0 }), n),
  ),
  call(
    "subsampledParameters",
    { epsilon: 1, delta: 0.1, rate: 0.5 },
    ({ rate, ...n }) => accounting.subsampledParameters(n as never, { rate }),
  ),
  call("poissonSubsampledLoss", { rate: 0.5 }, (n) => accounting.poissonSubsampledLoss(loss, n)),
  call("subsetSampledLoss", { rate: 0.5 }, (n) => accounting.subsetSampledLoss(loss, n)),
  call(
    "subsampledRenyi",
    { rate: 0.5, pureEpsilon: 1 },
    (n) => accounting.subsampledRenyi(curve, n),
  ),
  call(
    "poissonSubsampledGaussianRenyi",
    { mu: 1, rate: 0.5 },
    accounting.poissonSubsampledGaussianRenyi,
  ),
];

/** Learners and mechanisms, whose other options are right. */
const OPTIONS: readonly Call[] = [
  ...LEARNERS,
  ...FACTORIES.map(([call, options]) => ({ name: call.name, call, options })),
].map(({ name, call: run, options }) => {
  const entries = Object.entries(options).map(([key, value]) => [key.replace("?", ""), value]);
  return { name, run, right: Object.fromEntries(entries) };
});

/** Refused beside another option, in a sentence that names that one first; asked by tests of their own. */
const NOT_HERE = new Set([
  ...["fitKMeans clusters", "denseRows columnCount", "perceptronGuarantee failure"],
  ...[
    "mixedNoise size",
    "additiveNoise size",
    "wrappedNoise size",
    "subsampleAndAggregate fallback",
  ],
]);
/** Ends that the other options of the call do not go with. */
const ENDS_NOT_TRIED = new Set(["baseTwoExponential bits", "calibrate count"]);

/** The message with which a call refuses its arguments; "" where it takes them. */
function refusal(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    return `${error instanceof RangeError ? "" : "no RangeError: "}${(error as Error).message}`;
  }
}

function problemsOf({ name, run, right }: Call): string[] {
  const problems: string[] = [];
  for (const [option, valid] of Object.entries(right)) {
    if (typeof valid !== "number" || NOT_HERE.has(`${name} ${option}`)) continue;
    const range = RANGES[`${name} ${option}`] ?? RANGES[option];
    if (range === undefined) throw new Error(`no range for ${option} of ${name}`);
    const at = (value: number): string =>
      refusal(() => run({ ...right, [option]: value } as never));
    const bounds = parsed(range), says = new RegExp(`^Cannot .*\\b${option}\\b.* must .*current `);
    const wrong = range === FINITE ? [] : fc.sample(generated(bounds), { numRuns: 5, seed: 55 });
    for (const value of [...outside(bounds), ...wrong]) {
      const message = at(value);
      if (!says.test(message)) {
        problems.push(`${name}: ${option} of ${value}: ${message || "is taken"}`);
      }
    }
    const { low, high, lowIn, highIn } = bounds;
    for (const value of [...lowIn ? [low] : [], ...highIn ? [high] : [], valid]) {
      if (value === Number.MAX_SAFE_INTEGER || ENDS_NOT_TRIED.has(`${name} ${option}`)) continue;
      const message = at(value);
      if (message !== "") problems.push(`${name}: ${option} of ${value} is refused: ${message}`);
    }
  }
  return problems;
}

// Mutants: a limit moved by one, < for <=, a check that is deleted or names another parameter.
Deno.test("claims, accounting and samplers refuse numbers just outside their ranges, and take the ends", () => {
  assertEquals(CALLS.flatMap(problemsOf), []);
});

Deno.test("learners and mechanisms refuse numbers just outside their ranges, and take the ends", () => {
  assertEquals(OPTIONS.flatMap(problemsOf), []);
});
