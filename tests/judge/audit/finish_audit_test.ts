import { assert, assertEquals } from "@std/assert";
import { randomisedResponse } from "../../../fixtures/judge/true_claims.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { AuditOptions } from "../../../lib/judge/audit/options.ts";
import type { AuditReport, InconclusiveReport } from "../../../lib/judge/audit/report.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import {
  samplesPair,
  samplesSubject,
} from "../../../lib/judge/audit/subjects/recorded/samples_subject.ts";
import type { Subject } from "../../../lib/judge/audit/kernel/subject.ts";
import { gaussian, pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const relation = replaceOne;
const claim = pure({ epsilon: 1, relation });
const pair = pairOf(relation, { left: [0], right: [1] });

function run(
  sample: (data: readonly unknown[], source: { uniform(): number }) => unknown,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const subject = functionSubject(sample, { name: "f", source: new SeededSource(5) });
  return audit(subject, { claim, pair, maxDraws: 5000, seed: 6, ...options });
}

Deno.test("audit() is inconclusive where every output is null or the same, and names it", async () => {
  for (
    const [value, word] of [[null, "null"], [undefined, "null"], [7, "same"], [[1, 2], "same"]]
  ) {
    const report = await run(() => value);
    assertEquals(report.verdict, "inconclusive");
    assert(report.verdict === "inconclusive" && report.reason.includes(String(word)));
  }
  // With a single output that differs they are not the same, and no leak in so few would have been seen.
  let calls = 0;
  const { verdict, reason } = await run(() => calls++ === 4000 ? 1 : 0) as InconclusiveReport;
  assertEquals(verdict, "inconclusive");
  assert(reason.includes("however large"), reason);
});

Deno.test("audit() is inconclusive where requirePower times the claim would not be seen", async () => {
  const coin = (data: readonly unknown[], source: { uniform(): number }): number =>
    source.uniform() < (data[0] === 1 ? 0.7 : 0.3) ? 1 : 0;
  for (const kind of [claim, gaussian({ mu: 1.05, relation })]) {
    const verdicts = [];
    for (const [maxDraws, requirePower] of [[40, 2], [40, Infinity], [20_000, 2], [20_000, 1.01]]) {
      const report = await run(coin, {
        claim: kind,
        maxDraws: maxDraws!,
        requirePower: requirePower!,
      });
      assertEquals(report.requiredPower, requirePower);
      verdicts.push(report.verdict);
    }
    assertEquals(verdicts, ["inconclusive", "not-refuted", "not-refuted", "inconclusive"]);
  }
});

Deno.test("audit() of one recording given twice is inconclusive", async () => {
  const source = new SeededSource(3);
  const values = Float64Array.from({ length: 4000 }, () => source.uniform());
  const outputs = { kind: "block", width: 1, values } as const;
  const samples = samplesPair({ left: "a", right: "b" });
  const subject = (right: Subject["recorded"]): Subject =>
    samplesSubject({ ...right!, pair: samples, source: new SeededSource(4) });
  const twice = await audit(subject({ left: outputs, right: outputs }), {
    claim,
    pair: samples,
    seed: 1,
  });
  assert(twice.verdict === "inconclusive" && twice.reason.includes("same order"));
  const others = Float64Array.from({ length: 4000 }, () => source.uniform());
  const right = { kind: "block", width: 1, values: others } as const;
  const once = await audit(subject({ left: outputs, right }), {
    claim,
    pair: samples,
    seed: 1,
    requirePower: Infinity,
  });
  assertEquals(once.verdict, "not-refuted");
});

Deno.test("audit() shows the bound of a total leak, not the one at which the claim was refuted", async () => {
  const report = await run((data, source) => Number(data[0]) + 1e-3 * source.uniform());
  assert(report.verdict === "refuted" && report.draws < 200);
  assert(report.epsilonLowerBound > 5, String(report.epsilonLowerBound));
  assert(report.event!.epsilonLowerBound! > 5);
});

// Mutant: two of the samplers after the verdict with one label, so that they throw the same coins.
Deno.test("audit() throws new coins for shrinking, confirmation, bound and event", async () => {
  const order: number[] = [];
  const source = new SeededSource(5);
  const subject = functionSubject((data: readonly unknown[]) => {
    order.push(Number(data[0]));
    return Number(data[0]) + source.uniform();
  }, { name: "f", source });
  const report = await audit(subject, { claim, pair, maxDraws: 5000, seed: 6 });
  assert(report.verdict === "refuted" && order.length > 10_000);
  // 64 coins that came up before would be the same coins again: by chance that has probability 1e-10.
  const seen = new Set<bigint>();
  let window = 0n;
  order.forEach((coin, at) => {
    window = (window << 1n | BigInt(coin)) & (1n << 64n) - 1n;
    if (at < 63) return;
    assert(!seen.has(window), `64 coins before ${at} of ${order.length} came up before`);
    seen.add(window);
  });
});

// Mutants: the bound of the refutation in place of fresh draws (its maximum is wrong more often), α doubled.
Deno.test("audit() of a program with ε above its claim shows a bound above the true ε with probability α at most", async () => {
  const alpha = 0.1, audits = 100;
  let wrong = 0, refuted = 0;
  for (let seed = 1; seed <= audits; seed++) {
    const mechanism = { ...randomisedResponse(1.3), claim };
    const report = await audit(mechanismSubject(mechanism, { source: new SeededSource(seed) }), {
      pair: pairOf(relation, { left: [false], right: [true] }) as never,
      alpha,
      maxDraws: 4000,
      seed: 700 + seed,
      shrink: false,
    });
    if (report.verdict === "refuted") refuted++;
    if (report.epsilonLowerBound > 1.3) wrong++;
  }
  assert(refuted > audits / 3, `${refuted} refuted`);
  // 10 are expected at most; 19 or more have probability .005.
  assert(wrong < 19, `${wrong} of ${audits}`);
});

// Mutant: no pair but the one that looks best is refuted once more.
Deno.test("audit() goes on through pairs until one is refuted on its own: a histogram with .8 of one bin's noise", async () => {
  const values = ["a", "b", "c"], short = 1;
  const source = new SeededSource(2717).split("x");
  const noise = (scale: number): number => {
    const u = source.uniform() - 0.5;
    return -scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
  };
  const histogram = (data: readonly unknown[]): number[] =>
    values.map((value, bin) =>
      data.filter((row) => row === value).length + noise(bin === short ? 0.8 : 1)
    );
  const domain = { rows: { type: "category", values }, size: { min: 1, max: 4 } } as const;
  const report = await audit(functionSubject(histogram, { name: "histogram", source, domain }), {
    claim: pure({ epsilon: 1, relation: addRemoveOne }),
    seed: 2717,
    maxDraws: 40_000,
  });
  assertEquals(report.verdict, "refuted");
  assert(report.event!.description.startsWith(`output[${short}] `), report.event!.description);
  assert(report.event!.epsilonLowerBound! > 1);
});
