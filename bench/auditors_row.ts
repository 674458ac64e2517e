/** A worker of {@link ./auditors.ts}: audits one mechanism of the suite with all of its seconds. */
import { suite } from "../fixtures/mutants/all.ts";
import { audit } from "../lib/audit/audit.ts";
import { inWorkers } from "../lib/audit/subjects/thread/worker_subject.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";
import { suiteMaker, suiteSubject } from "./suite_subject.ts";

/** What a worker is asked for. */
export interface RowRequest {
  readonly name: string;
  readonly seed: number;
  readonly maxSeconds: number;
  /** Threads that draw; 1 is the row's own. */
  readonly workers: number;
}

/** What it answers. */
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
  const source = new SeededSource(seed).split(name);
  const own = suiteSubject(name, { source });
  const subject = inWorkers(own, { maker: suiteMaker(name), workers, source });
  const report = await audit(subject, {
    alpha: 0.05,
    seed,
    maxSeconds,
    effort: "thorough",
    shrink: false,
    bits: bits ?? false,
  });
  await subject.close();
  scope.postMessage({
    bound: report.epsilonLowerBound,
    seconds: report.seconds,
    draws: report.draws,
    pairsTried: report.pairsTried,
  });
};
