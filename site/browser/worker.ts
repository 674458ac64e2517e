import { audit } from "../../lib/judge/audit/audit.ts";
import { outputValues, type PairOutputs } from "../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { approximate, type Claim, pure } from "../../lib/core/claims/claim.ts";
import type { ProgramSource } from "../../lib/core/mechanism/continuous_draws.ts";
import { numbersInProgram } from "../../lib/core/text/numbers_in_program.ts";
import { pairOf } from "../../lib/core/relations/relation.ts";
import { relationNamed } from "../../lib/core/relations/relation_named.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { functionRecorder } from "../../lib/judge/recording/function_recorder.ts";
import { record } from "../../lib/judge/recording/record.ts";
import { alignmentText } from "../../lib/judge/report/alignment_text.ts";
import { exactText } from "../../lib/judge/report/exact_text.ts";
import { terminalReport } from "../../lib/judge/report/terminal.ts";
import { assertExactlyPrivate } from "../../lib/judge/testing/assert_exactly_private.ts";
import { AssertionError } from "../../lib/judge/testing/assertion_error.ts";
import { FOLDER, functionOf } from "./function_of.ts";
import { LatestOutputs } from "./output_counts.ts";
import type { Answer, Claimed, Datasets, Request } from "./worker_messages.ts";

// The worker that audits a function, decides its claim, or names the line at which its noise does not cover what changes.

/** Outputs of each side of a batch that are drawn on the page. */
const MOST_SHOWN = 500;

/** What is thrown is an answer, too. */
globalThis.onmessage = async ({ data }: MessageEvent<Request>): Promise<void> => {
  // What stands in for the package of the solver (browser_scripts.ts) takes it from here.
  Object.assign(globalThis, { solver: data.solver });
  try {
    answer(await WORK[data.kind](data));
  } catch (error) {
    answer({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
};

const WORK = { audit: audited, exact: decided, lines } as const;

function answer(message: Answer): void {
  globalThis.postMessage(message);
}

async function audited(request: Request): Promise<Answer> {
  const { code, rows, size, bits, seed, maxSeconds } = request;
  const run = functionOf(code), claim = claimOf(request);
  const latest = new LatestOutputs();
  let pair: Datasets | undefined;
  const subject = functionSubject(run, {
    name: run.name || "the function",
    source: new SeededSource(seed).split("subject"),
    claim,
  });
  const watched: Subject = {
    ...subject,
    async drawInOrder(data, coins): Promise<PairOutputs> {
      const outputs = await subject.drawInOrder!(data, coins);
      pair = datasetsOf(data);
      const key = JSON.stringify(pair);
      for (const side of ["left", "right"] as const) {
        latest.add(key, side, outputValues(outputs[side]).take(MOST_SHOWN));
      }
      return outputs;
    },
  };
  const report = await audit(watched, {
    claim,
    domain: { rows, size },
    numbers: numbersInProgram(code),
    bits,
    seed,
    maxSeconds,
    onProgress: (progress) => answer({ kind: "progress", progress, pair, counts: latest.counts() }),
  });
  const isShown = report.verdict === "refuted" && report.pair !== null;
  const pairShown = isShown ? { pair: datasetsOf(report.pair) } : {};
  return { kind: "end", text: terminalReport(report), ...pairShown };
}

/** A pair without its relation, which no message can carry. */
function datasetsOf({ left, right }: Datasets): Datasets {
  return { left, right };
}

/** The lines at which noise does not cover what changes, on a pair that refuted the claim. */
async function lines(request: Request): Promise<Answer> {
  const { code, pair, seed, maxSeconds } = request;
  const run = functionOf(code), claim = claimOf(request);
  const recorder = functionRecorder(run, { name: "the function", folder: FOLDER, isAlone: true });
  const { left, right } = pair as { readonly left: unknown[]; readonly right: unknown[] };
  const { findings } = await record(recorder, {
    claim,
    pair: pairOf(claim.relation, { left, right }),
    seed,
    maxSeconds,
  });
  return { kind: "lines", findings };
}

/** Decides a claim without draws that count. @throws for code that cannot be run on all its paths or traced. */
async function decided(request: Request): Promise<Answer> {
  const { code, rows, size, maxSeconds } = request;
  const run = functionOf(code) as (data: unknown[], source: ProgramSource) => unknown;
  const start = performance.now();
  try {
    const report = await assertExactlyPrivate(run, {
      claim: claimOf(request),
      domain: { rows, size },
      maxSeconds,
    });
    const seconds = (performance.now() - start) / 1000;
    const text = "branches" in report
      ? exactText(report, { seconds })
      : alignmentText(report, { seconds });
    return { kind: "end", text };
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    return { kind: "end", text: error.message };
  }
}

/** The claim that a request makes. @throws {RangeError} when a parameter is out of its bounds. */
function claimOf({ epsilon, delta, relation: name }: Claimed): Claim {
  const relation = relationNamed(name);
  if (relation === undefined) throw new RangeError(`No relation is named ${name}.`);
  return delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation });
}
