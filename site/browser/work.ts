import { audit } from "../../lib/judge/audit/audit.ts";
import type { PairOutputs } from "../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import type { ProgramSource } from "../../lib/core/mechanism/continuous_draws.ts";
import { numbersInProgram } from "../../lib/core/text/numbers_in_program.ts";
import { pairOf } from "../../lib/core/relations/relation.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { functionRecorder } from "../../lib/judge/recording/function_recorder.ts";
import { record } from "../../lib/judge/recording/record.ts";
import { alignmentText } from "../../lib/judge/report/alignment_text.ts";
import { exactText } from "../../lib/judge/report/exact_text.ts";
import { assertExactlyPrivate } from "../../lib/judge/testing/assert_exactly_private.ts";
import { AssertionError } from "../../lib/judge/testing/assertion_error.ts";
import { FOLDER, type Mechanism } from "./function_of.ts";
import { claimOf } from "./claim_of.ts";
import type { Answer, Datasets, Request, SentReport } from "./worker_messages.ts";

// The work of the worker, whatever language the function is in.

/** Code of others as a function, with the places of its errors. */
export interface Language {
  /**
   * The function of a text.
   *
   * @param begins is called when the text is about to be run, which may loop, too: its time begins.
   * @throws what is wrong with the text, with its line where it is known.
   */
  load(request: Request, begins: () => void): Mechanism | Promise<Mechanism>;
  /** The line that an error names, counted from 1. */
  lineOf(error: unknown): number | undefined;
  /** True if its noise can be recorded, and its draws enumerated. */
  readonly isTraced: boolean;
}

/** Milliseconds between two signs that the function still returns. */
const ALIVE = 250;

/** Audits, decides or names lines, as the page asks, of functions in a language. */
export function serveRequests(language: Language): void {
  globalThis.onmessage = async ({ data, ports }: MessageEvent<Request>): Promise<void> => {
    const port = ports[0]!;
    // Bound before code of others runs: what it posts, or puts in place of methods, is no answer.
    answer = port.postMessage.bind(port);
    // What stands in for the package of the solver (browser_scripts.ts) takes it from here.
    Object.assign(globalThis, { solver: data.solver });
    try {
      const run = await language.load(data, () => answer({ kind: "alive" }));
      answer({ kind: "alive" });
      answer(await WORK[data.kind](data, run, language));
    } catch (error) {
      // What is thrown is an answer, too.
      const message = error instanceof Error ? error.message : String(error);
      const line = language.lineOf(error);
      answer({ kind: "failed", message, ...(line === undefined ? {} : { line }) });
    }
  };
}

const WORK = { audit: audited, exact: decided, lines } as const;

let answer = (_message: Answer): void => {};

async function audited(request: Request, run: Mechanism, language: Language): Promise<Answer> {
  const { code, rows, size, bits, seed, maxSeconds } = request;
  const claim = claimOf(request), domain = { rows, size };
  const subject = functionSubject(run, {
    name: run.name || "the function",
    source: new SeededSource(seed).split("subject"),
    claim,
  });
  let last = 0;
  const watched: Subject = {
    ...subject,
    async drawInOrder(data, coins): Promise<PairOutputs> {
      const outputs = await subject.drawInOrder!(data, coins);
      if (performance.now() - last > ALIVE) {
        last = performance.now();
        answer({ kind: "alive" });
      }
      return outputs;
    },
  };
  const report = await audit(watched, {
    claim,
    domain,
    numbers: numbersInProgram(code),
    bits,
    seed,
    maxSeconds,
    details: true,
    onProgress: (progress) => answer({ kind: "progress", progress }),
  });
  const line = await lineOfFailure(report, run, language);
  // No message can carry the functions of a claim: the page knows which it asked about.
  const { claim: _, pair, ...rest } = report;
  const datasets = pair === null ? null : datasetsOf(pair as Datasets);
  return {
    kind: "report",
    report: { ...rest, pair: datasets } as unknown as SentReport,
    ...(line === undefined ? {} : { line }),
  };
}

/** The line of the error of a function that gives nothing else. */
async function lineOfFailure(
  { verdict, pair }: { readonly verdict: string; readonly pair: unknown },
  run: Mechanism,
  { lineOf }: Language,
): Promise<number | undefined> {
  if (verdict !== "failed") return undefined;
  for (const data of [(pair as Datasets | null)?.left ?? [], []]) {
    try {
      await run(structuredClone(data), new SeededSource(1));
    } catch (error) {
      return lineOf(error);
    }
  }
  return undefined;
}

/** A pair without its relation, which no message can carry. */
function datasetsOf({ left, right }: Datasets): Datasets {
  return { left, right };
}

/** The lines at which noise does not cover what changes, on a pair that refuted the claim. */
async function lines(request: Request, run: Mechanism): Promise<Answer> {
  const { pair, seed, maxSeconds } = request;
  const claim = claimOf(request);
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
async function decided(request: Request, code: Mechanism, { isTraced }: Language): Promise<Answer> {
  const { rows, size, maxSeconds } = request;
  if (!isTraced) {
    throw new Error("Only JavaScript that draws by the methods of `source` can be decided.");
  }
  const run = code as (data: unknown[], source: ProgramSource) => unknown;
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
