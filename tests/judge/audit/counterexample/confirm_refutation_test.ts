import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import type { AuditOptions } from "../../../../lib/judge/audit/options.ts";
import type { AuditReport } from "../../../../lib/judge/audit/report.ts";
import { mechanismSubject } from "../../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../../lib/core/mod.ts";
import type { Mechanism } from "../../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { htmlReport } from "../../../../lib/judge/report/html.ts";
import { jsonReport } from "../../../../lib/judge/report/json.ts";
import { junitReport } from "../../../../lib/judge/report/junit.ts";
import { terminalReport } from "../../../../lib/judge/report/terminal.ts";

/** Runs `body` with a clock that `wait` moves on by milliseconds: what is slow takes no time of a processor. */
async function withClock(
  body: (wait: (milliseconds: number) => void) => Promise<void>,
): Promise<void> {
  const { now } = performance;
  let waited = 0;
  performance.now = () => now.call(performance) + waited;
  try {
    await body((milliseconds) => waited += milliseconds);
  } finally {
    performance.now = now;
  }
}

const pair = pairOf(replaceOne, { left: [0], right: [1] });

/** Gives the row with probability 0.9 for so many calls, then randomised response at ε = 1. */
function honestAfter(calls: number): Mechanism<number, number> {
  let left = calls;
  return {
    name: "honest later",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    domain: { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 3 } },
    sample([bit], source): number {
      const truthful = left-- > 0 ? 0.9 : Math.E / (1 + Math.E);
      return source.uniform() < truthful ? bit! : 1 - bit!;
    },
  };
}

function run(calls: number, options: AuditOptions): Promise<AuditReport> {
  const source = new SeededSource(2).split("confirm");
  return audit(mechanismSubject(honestAfter(calls), { source }), { seed: 2, ...options });
}

// Mutants: the verdict "not-refuted"; `unconfirmed` is left out; a bound below the claim; a report that says nothing of the later draws.
Deno.test("audit() keeps a refutation that later draws do not confirm, and says that the program changes", async () => {
  for (
    const options of [{ pair, maxDraws: 20_000 }, { maxDraws: 20_000 }, { pair, maxSeconds: 1 }]
  ) {
    const { draws } = await run(1e9, { ...options, shrink: false });
    const report = await run(draws, options);
    assert(report.verdict === "refuted");
    assertEquals([report.confirmed, report.confirmation], [false, undefined]);
    assert(report.unconfirmed!.draws >= 20_000 || options.maxSeconds !== undefined);
    assert(report.epsilonLowerBound >= 1, `${report.epsilonLowerBound}`);
    assert(report.unconfirmed!.eValue < 100 && report.eValue >= 100, `${report.eValue}`);
    const text = terminalReport(report);
    assert(text.startsWith("REFUTED  honest later does not keep its claim of 1-DP"), text);
    assert(text.includes("later draws on this pair came to an e-value of"), text);
    assert(text.includes("the program changes between draws"), text);
    const { confirmed, unconfirmed } = JSON.parse(jsonReport(report));
    assertEquals([confirmed, unconfirmed], [false, report.unconfirmed]);
    assert(htmlReport(report).includes("the program changes between draws"));
    assert(junitReport(report).includes('failures="1"'));
    // Where nothing is drawn again there is nothing to be unconfirmed.
    const alone = await run(draws, { ...options, shrink: false });
    assertEquals([alone.verdict, alone.unconfirmed], ["refuted", undefined]);
  }
});

Deno.test("a thorough audit keeps its bound where later draws do not confirm it", async () => {
  const report = await run(20_000, { pair, maxDraws: 20_000, effort: "thorough" });
  assert(report.verdict === "refuted" && !report.confirmed);
  // 20,000 draws at ln 9, all before the refutation was looked at again.
  assert(report.epsilonLowerBound > 1.9 && report.epsilonLowerBound < Math.log(9));
  assert(report.unconfirmed !== undefined);
});

Deno.test("audit() reports the confirmation of a violation that lasts", async () => {
  for (const options of [{ pair, maxDraws: 20_000 }, { maxDraws: 20_000 }]) {
    const report = await run(1e9, options);
    assert(report.verdict === "refuted" && report.confirmed && report.unconfirmed === undefined);
    assert(report.confirmation!.eValue >= 100);
  }
});

// A refutation by the last test alone is confirmed by bets, which take more draws. Mutants: as many draws as the audit had; a
// new predictor.
Deno.test("audit() confirms a refutation at the very end of its budget", async () => {
  let refuted = 0, unconfirmed = 0;
  const truthful = 1 / (1 + Math.exp(-1.25));
  for (let seed = 1; seed <= 6; seed++) {
    const source = new SeededSource(seed).split("the end");
    const mechanism: Mechanism<number, number> = {
      ...honestAfter(0),
      sample: ([bit], random) => random.uniform() < truthful ? bit! : 1 - bit!,
    };
    const report = await audit(mechanismSubject(mechanism, { source }), {
      seed,
      pair,
      maxDraws: 3000,
      alpha: 0.05,
    });
    if (report.verdict === "refuted") refuted++;
    if (report.unconfirmed !== undefined) unconfirmed++;
  }
  assert(refuted >= 2, `${refuted} refuted`);
  assertEquals(unconfirmed, 0);
});

// The pair is not made small in time: the subject takes 20 ms an output when it has been refuted.
// Mutants: no second confirmation; one with a new predictor, or one that the clock ends.
Deno.test("audit() confirms a refutation of a slow subject", () =>
  withClock(async (wait) => {
    const truthful = 1 / (1 + Math.exp(-1.2));
    const slowAfter = (calls: number): Mechanism<number, number> => ({
      ...honestAfter(0),
      sample([bit], source): number {
        if (calls-- <= 0) wait(20);
        return source.uniform() < truthful ? bit! : 1 - bit!;
      },
    });
    const run = (calls: number, shrink: boolean): Promise<AuditReport> => {
      const source = new SeededSource(3).split("slow");
      return audit(mechanismSubject(slowAfter(calls), { source }), {
        seed: 3,
        pair,
        maxDraws: 40_000,
        shrink,
      });
    };
    const { draws, verdict } = await run(1e9, false);
    assertEquals(verdict, "refuted");
    const report = await run(draws, true);
    assertEquals(report.verdict, "refuted");
    assert(report.confirmation!.draws > 500, `${report.confirmation!.draws}`);
  }));

// The subject is slow from its refutation on. Mutants: "not refuted" for want of time; the budget of the confirmation without regard to the deadline.
Deno.test("audit() keeps a refutation that it has no time to confirm, and its deadline", () =>
  withClock(async (wait) => {
    const run = (calls: number, options: AuditOptions): Promise<AuditReport> => {
      let left = calls;
      const source = new SeededSource(3).split("late");
      const mechanism: Mechanism<number, number> = {
        ...honestAfter(0),
        sample([bit], random): number {
          if (left-- <= 0) wait(20);
          return random.uniform() < 0.8 ? bit! : 1 - bit!;
        },
      };
      return audit(mechanismSubject(mechanism, { source }), { seed: 3, pair, ...options });
    };
    const { draws } = await run(1e9, { maxSeconds: 0.3, shrink: false });
    const begun = performance.now();
    const report = await run(draws, { maxSeconds: 0.3 });
    assertEquals([report.verdict, report.confirmation, report.unconfirmed], [
      "refuted",
      undefined,
      undefined,
    ]);
    assert(performance.now() - begun < 4500, `${performance.now() - begun} ms`);
  }));
