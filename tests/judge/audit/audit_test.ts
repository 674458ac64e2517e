import {
  approximate,
  type Claim,
  claimToJSON,
  gaussian,
  pure,
  renyi,
  zcdp,
} from "../../../lib/core/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gaussianNoise, laplace, randomisedResponse } from "../../../fixtures/judge/true_claims.ts";
import { terminalReport } from "../../../lib/judge/report/terminal.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { Progress } from "../../../lib/judge/audit/kernel/drawing/progress.ts";
import type { AuditOptions } from "../../../lib/judge/audit/options.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Outputs } from "../../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../../lib/judge/audit/kernel/subject.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { LONG } from "../../long.ts";

const relation = changeEach({ by: 1 });
const bit = pairOf(replaceOne, { left: [0], right: [1] });

function run(
  mechanism: Parameters<typeof mechanismSubject<number, unknown>>[0],
  options: AuditOptions,
): Promise<AuditReport> {
  const source = new SeededSource(options.seed ?? 1).split("audited");
  return audit(mechanismSubject(mechanism, { source }), {
    seed: 1,
    alpha: 0.05,
    shrink: false,
    ...options,
  });
}

// On a slow machine a report says what a longer run would see, which depends on the seconds.
Deno.test("audit() gives the same report for the same seed, except for the seconds", async () => {
  const mechanism = laplace(1, { noise: 0.5 });
  const options = { maxDraws: 5000, shrink: true, seed: 7 };
  const [a, b] = [await run(mechanism, options), await run(mechanism, options)];
  const timeless = { seconds: 0, longerRun: undefined };
  assertEquals({ ...a, ...timeless }, { ...b, ...timeless });
  const c = await run(mechanism, { ...options, seed: 8 });
  assert(a.eValue !== c.eValue);
});

Deno.test("audit() reports a refutation with all that a reader needs", async () => {
  const report = await run(laplace(1, { noise: 0.5 }), { maxDraws: 20_000, shrink: true });
  assertEquals(report.verdict, "refuted");
  assertEquals(claimToJSON(report.claim), { kind: "pure", epsilon: 1, relation: relation.name });
  assert(report.epsilonLowerBound >= 1 && report.epsilonLowerBound < 2);
  assert(report.eValue >= 20 && report.draws <= 20_000);
  assertEquals([report.alpha, report.confidence, report.seed], [0.05, 0.95, 1]);
  const { left, right } = report.pair as { left: number[]; right: number[] };
  assertEquals(relation.violation(left, right), undefined);
  const { event, confirmation } = report;
  assert(event !== null && event.left.draws > 0 && event.description.startsWith("output"));
  assert(confirmation !== undefined && confirmation.eValue >= 20);
  assert(report.replay.includes("seed: 1"));
});

Deno.test("audit() does not refute a true claim, and reports the detectable ε", async () => {
  const report = await run(laplace(1), { maxDraws: 20_000 });
  assertEquals(report.verdict, "not-refuted");
  assertEquals(report.draws, 20_000);
  assert(report.epsilonLowerBound > 0.5 && report.epsilonLowerBound <= 1);
  assert(report.detectableEpsilon! > 1 && report.detectableEpsilon! < 1.5);
  assert(report.eValue < 20);
});

Deno.test("audit() spends the whole budget for a better bound when it is thorough", async () => {
  const short = await run(laplace(1, { noise: 0.5 }), { maxDraws: 30_000 });
  const full = await run(laplace(1, { noise: 0.5 }), { maxDraws: 30_000, effort: "thorough" });
  assert(short.draws < 5000 && full.draws === 30_000);
  // It loses 2.
  assert(full.epsilonLowerBound > short.epsilonLowerBound);
  assert(full.epsilonLowerBound > 1.9 && full.epsilonLowerBound <= 2);
});

Deno.test("audit() takes a fixed pair and tries no other", async () => {
  const report = await run(randomisedResponse(1), { pair: bit, maxDraws: 3000 });
  assertEquals(report.pairsTried, 1);
  assertEquals(report.pair, { left: [0], right: [1] });
});

Deno.test("audit() ends after maxSeconds, however slow the subject", async () => {
  const begun = performance.now();
  const slow: Subject = {
    name: "slow",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    async draw(_, count): Promise<Outputs> {
      // Slow for as long as the audit may last; what the report draws afterwards comes fast.
      if (performance.now() - begun < 400) {
        await new Promise((resolve) => setTimeout(resolve, 2 * count));
      }
      return { kind: "block", width: 1, values: new Float64Array(count) };
    },
    close: () => Promise.resolve(),
  };
  const report = await audit(slow, { pair: bit, maxSeconds: 0.3, seed: 1 });
  // Every output is 0.
  assertEquals(report.verdict, "inconclusive");
  assert(report.seconds >= 0.3 && report.seconds < 3, `${report.seconds} s`);
  // Mutant: a report that does not say so.
  const [draws] = report.cut!;
  assertEquals([draws!.what, draws!.done, draws!.of], [
    "draws for the verdict",
    report.draws,
    200_000,
  ]);
  assertStringIncludes(terminalReport(report), "The limit of time (--max-seconds) cut draws for");
});

Deno.test("audit() rejects bad options before it draws", async () => {
  const subject: Subject = {
    name: "untouched",
    draw: () => {
      throw new Error("drawn from");
    },
    close: () => Promise.resolve(),
  };
  const claim = pure({ epsilon: 1, relation: replaceOne });
  const bad: [AuditOptions, string][] = [
    [{ domain: { rows: { type: "bool" } } as never }, "domain.rows.type must be one of"],
    [
      { domain: { rows: { type: "text", length: 8 }, size: { min: 1, max: 2 } } as never },
      "domain.rows.length must be",
    ],
    [{ domain: { rows: { type: "boolean" }, size: 3 } as never }, "domain.size must have"],
    [{ alpha: 0 }, "alpha must be in (0, 1): current value is 0"],
    [{ alpha: 1 }, "alpha must be in (0, 1): current value is 1"],
    [{ alpha: NaN }, "alpha must be in (0, 1): current value is NaN"],
    [{ maxDraws: 0 }, "maxDraws must be a whole number, at least 1: current value is 0"],
    // Half a coin has a biased label.
    [{ maxDraws: 100.5 }, "maxDraws must be a whole number, at least 1: current value is 100.5"],
    [{ maxDraws: NaN }, "maxDraws must be a whole number, at least 1: current value is NaN"],
    [{ maxSeconds: 0 }, "maxSeconds must be positive: current value is 0"],
    [{ maxSeconds: NaN }, "maxSeconds must be positive: current value is NaN"],
    [{ maxDraws: Infinity }, "maxDraws must be a whole number, at least 1: current value is Infin"],
    [{ seed: -1 }, "seed must be a non-negative integer: current value is -1"],
    [{ seed: 0.5 }, "seed must be a non-negative integer: current value is 0.5"],
    // A claim that no number of draws can refute, and whose numbers no double can hold.
    [
      { claim: pure({ epsilon: 10_001, relation: replaceOne }) },
      "epsilon must be at most 10000: current value is 10001",
    ],
  ];
  for (const [options, message] of bad) {
    await assertRejects(
      () => audit(subject, { claim, pair: bit, ...options }),
      RangeError,
      `Cannot audit: ${message}`,
    );
  }
  await assertRejects(() => audit(subject, { pair: bit }), RangeError, "claim must be given");
  await assertRejects(() => audit(subject, { claim }), RangeError, "pair must be given");
  // Mutant: compared as objects.
  const twice = pairOf(replaceOne, { left: [{ age: 3 }], right: [{ age: 3 }] });
  const error = await assertRejects(
    () => audit(subject, { claim, pair: twice }),
    RangeError,
    "Cannot audit: pair must have two sides that differ",
  );
  assert(!error.message.includes("age"));
});

Deno.test("audit() rejects with the signal's reason when it is aborted", async () => {
  const before = AbortSignal.abort(new Error("not now"));
  await assertRejects(
    () => run(laplace(1), { maxDraws: 1000, signal: before }),
    Error,
    "not now",
  );
  const signal = AbortSignal.timeout(150);
  const start = performance.now();
  await assertRejects(() => run(laplace(1), { maxSeconds: 20, signal }), DOMException);
  assert(performance.now() - start < 5000);
});

// Mutants: a rejection in place of a report; the signal's other meaning; a refutation that is lost.
Deno.test("audit() reports what was found so far when it is interrupted", async () => {
  const interrupted = await run(laplace(1), {
    maxSeconds: 20,
    interrupt: AbortSignal.timeout(300),
  });
  assertEquals([interrupted.verdict, interrupted.interrupted], ["inconclusive", true]);
  assert(interrupted.draws > 0 && interrupted.seconds < 5);
  const before = await run(laplace(1), { maxDraws: 1000, interrupt: AbortSignal.abort() });
  assertEquals([before.verdict, before.draws, before.pair], ["inconclusive", 0, null]);

  // Refuted at once; a thorough audit would go on to the end of its budget.
  const refuted = await run(laplace(1, { noise: 0.2 }), {
    maxSeconds: 20,
    effort: "thorough",
    interrupt: AbortSignal.timeout(1000),
  });
  assertEquals([refuted.verdict, refuted.interrupted], ["refuted", true]);
  assert(refuted.eValue >= 20 && refuted.seconds < 10);

  // The other signal still aborts.
  const both = { signal: AbortSignal.abort(new Error("not now")), interrupt: AbortSignal.abort() };
  await assertRejects(() => run(laplace(1), { maxDraws: 1000, ...both }), Error, "not now");
});

Deno.test("audit() calls onProgress with figures that only grow", async () => {
  const seen: Progress[] = [];
  await run(laplace(1), { maxSeconds: 0.7, onProgress: (progress) => void seen.push(progress) });
  assert(seen.length >= 2, `${seen.length} calls`);
  for (let k = 1; k < seen.length; k++) {
    if (seen[k]!.phase === "shrink") break;
    assert(seen[k]!.draws > seen[k - 1]!.draws && seen[k]!.seconds > seen[k - 1]!.seconds);
    assert(seen[k]!.epsilonLowerBound >= seen[k - 1]!.epsilonLowerBound);
  }
});

// Each claim is the tightest that Gaussian noise of deviation 1 keeps under sensitivity 1.
const GAUSSIAN_CLAIMS: readonly Claim[] = [
  approximate({ epsilon: 1, delta: gaussianDelta(1, 1), relation }),
  gaussian({ mu: 1, relation }),
  zcdp({ rho: 0.5, relation }),
  renyi({ order: 2, epsilon: 1, relation }),
];

for (const claim of GAUSSIAN_CLAIMS) {
  Deno.test(`audit() refutes a Gaussian under a ${claim.kind} claim only when its noise is too small`, async () => {
    const pair = pairOf(relation, { left: [0], right: [1] });
    const exact = await run(gaussianNoise(claim, { mu: 1 }), { pair, maxDraws: 8000 });
    assertEquals(exact.verdict, "not-refuted");
    // The conversions from zCDP and Rényi to points (ε, δ) are loose: less noise must be missing.
    const noise = claim.kind === "zcdp" || claim.kind === "renyi" ? 0.5 : 0.75;
    const less = await run(gaussianNoise(claim, { mu: 1, noise }), { pair, maxDraws: 8000 });
    assertEquals(less.verdict, "refuted");
    assert(less.draws < 8000);
  });
}

// Mutant: the first smaller pair that is not refuted is tried until time is over.
Deno.test("audit() reduces a refuted pair to the smallest, though most smaller ones are not refuted", async () => {
  const leak: Mechanism<number, boolean> = {
    name: "leak in three rows",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 6 } },
    sample: (data, source) =>
      data.length >= 3 && data.some((row) => row > 0.5) || source.uniform() < 0.4,
  };
  for (const seed of LONG ? [1, 2, 3] : [1]) {
    const { pair, confirmation } = await run(leak, { maxDraws: 50_000, shrink: true, seed });
    assert(confirmation !== undefined);
    const { left, right } = pair as { left: number[]; right: number[] };
    assertEquals([left.length, [...left, ...right].toSorted()], [3, [0, 0, 0, 0, 0, 1]]);
  }
});

// Mutants: a rule above the claim by chance is an event, and reported whatever its counts are.
Deno.test("audit() reports no event where the counts of the two sides do not differ", async () => {
  const blind: Mechanism<number, number> = {
    name: "blind",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: (_, source) => source.uniform(),
  };
  for (let seed = 1; seed <= 2; seed++) {
    const report = await run(blind, { pair: bit, maxDraws: 10_000, seed });
    assertEquals([report.verdict, report.event], ["not-refuted", null]);
  }
});

Deno.test("audit() with a budget of one draw ends", async () => {
  for (const maxDraws of [1, 2, 31]) {
    const report = await run(laplace(1), { maxDraws });
    assertEquals([report.verdict, report.draws], ["inconclusive", maxDraws]);
  }
});

// Without a copy of the data for each call, 40 of 40 audits refuted it, on a pair that was never given.
Deno.test("audit() does not refute a mechanism that adds its noise to its input in place", async () => {
  const exact = laplace(1);
  const inPlace: Mechanism<number, number> = {
    name: "in place",
    claim: exact.claim,
    domain: exact.domain!,
    sample(data, source): number {
      const own = data as number[];
      own[0]! += exact.sample([0], source);
      return own[0]!;
    },
  };
  const pair = pairOf(relation, { left: [0], right: [1] });
  let refuted = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const report = await run(inPlace, { pair, maxDraws: 2000, seed });
    assertEquals(report.pair, { left: [0], right: [1] });
    if (report.verdict === "refuted") refuted++;
  }
  // At α = 0.05 so many or more have probability 1e-4 at most.
  assert(refuted < 5, `${refuted} of 8 refuted`);
});

// No test can refute the first: probabilities of 1 and e^−800 keep the claim. Mutant: stakes on rare cells by e^ε, where outputs that hardly
// ever come do so on both sides.
Deno.test("audit() has an e-value, and refutes nothing, where e^ε of the claim has no double", async () => {
  type Data = readonly number[];
  const programs: Mechanism<number, unknown>["sample"][] = [
    ([x]: Data) => x,
    (_: Data, source) => source.uniform() < 0.0008 ? null : 1,
  ];
  for (const sample of programs) {
    for (const delta of [0, 1e-3]) {
      const claim = delta === 0
        ? pure({ epsilon: 800, relation })
        : approximate({ epsilon: 800, delta, relation });
      const { verdict, eValue } = await run({ name: "program", sample, claim }, {
        pair: pairOf(relation, { left: [0], right: [1] }),
        maxDraws: 10_000,
      });
      assertEquals(verdict, "inconclusive");
      assert(eValue >= 0 && eValue <= 1, `${eValue}`);
    }
  }
});
