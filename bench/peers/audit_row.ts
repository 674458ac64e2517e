/** A worker of {@link ./main.ts}: audits one mechanism of the suite within its seconds. */
import { suite } from "../../fixtures/judge/mutants/all.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { inWorkers } from "../../lib/judge/audit/subjects/thread/worker_subject.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { suiteMaker, suiteSubject } from "./suite_subject.ts";

/** Draws of the first audit, by which factor they grow at most, and the shares of the seconds that shorter ones and the last one take. */
const FIRST = 1 << 15, GROWTH = 16, PILOT_SHARE = 1 / 4, SAFE_SHARE = 0.9;

/** Request to a worker. */
export interface RowRequest {
  readonly name: string;
  readonly seed: number;
  readonly maxSeconds: number;
  /** Threads that draw; 1 is the row's own. */
  readonly workers: number;
}

/** Answer of a worker. */
export interface RowResult {
  readonly bound: number;
  readonly seconds: number;
  readonly draws: number;
  readonly pairsTried: number;
}

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<RowRequest>) => void;
  postMessage(result: RowResult): void;
};

scope.onmessage = async ({ data: { name, seed, maxSeconds, workers } }) => {
  const { bits } = suite.find((mutant) => mutant.mechanism.name === name)!;
  const run = async (maxDraws: number): Promise<AuditReport> => {
    const source = new SeededSource(seed).split(name);
    const own = suiteSubject(name, { source });
    const subject = inWorkers(own, { maker: suiteMaker(name), workers, source });
    const report = await audit(subject, {
      alpha: 0.05,
      seed,
      maxDraws,
      effort: "thorough",
      shrink: false,
      bits: bits ?? false,
    });
    await subject.close();
    return report;
  };
  // Budgets are draws: shorter audits, whose seconds count, show how many of them the seconds allow.
  let report = await run(FIRST), { seconds } = report;
  while (seconds < PILOT_SHARE * maxSeconds) {
    const times = Math.min(GROWTH, SAFE_SHARE * (maxSeconds - seconds) / report.seconds);
    report = await run(Math.floor(times * report.draws));
    seconds += report.seconds;
  }
  scope.postMessage({
    bound: report.epsilonLowerBound,
    seconds,
    draws: report.draws,
    pairsTried: report.pairsTried,
  });
};
