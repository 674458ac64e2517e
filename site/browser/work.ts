import { audit } from "../../lib/judge/audit/audit.ts";
import type { PairOutputs } from "../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import type { ProgramSource } from "../../lib/core/mechanism/continuous_draws.ts";
import { numbersInProgram } from "../../lib/core/text/numbers_in_program.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { alignmentText } from "../../lib/judge/report/alignment_text.ts";
import { exactText } from "../../lib/judge/report/exact_text.ts";
import { assertExactlyPrivate } from "../../lib/judge/testing/assert_exactly_private.ts";
import { AssertionError } from "../../lib/judge/testing/assertion_error.ts";
import type { Mechanism } from "./function_of.ts";
import { claimOf } from "./claim_of.ts";
import { type Language, serveRequests } from "./serve_requests.ts";
import type { Answer, Datasets, Request, SentReport } from "./worker_messages.ts";

// The work of the worker, whatever language the function is in.

/** Milliseconds between two signs that the function still returns. */
const ALIVE = 250;

/** Audits, or decides, as the page asks, functions in a language. */
export function serveFunctions(language: Language): void {
  serveRequests(language, async (request, tell) => {
    const run = await language.load(request, () => tell({ kind: "alive" }));
    tell({ kind: "alive" });
    return request.kind === "audit"
      ? await audited(request, run, { language, tell })
      : await decided(request, run, language);
  });
}

async function audited(
  request: Request,
  run: Mechanism,
  { language, tell }: { readonly language: Language; readonly tell: (answer: Answer) => void },
): Promise<Answer> {
  const { code, rows, size, bits, seed, maxSeconds } = request;
  const claim = claimOf(request), domain = { rows, size };
  const subject = functionSubject(run, {
    name: run.name || "the function",
    source: new SeededSource(seed).split("subject"),
    claim,
  });
  let last = 0, isDrawn = false;
  const watched: Subject = {
    ...subject,
    async drawInOrder(data, coins): Promise<PairOutputs> {
      const outputs = await subject.drawInOrder!(data, coins);
      isDrawn = true;
      if (performance.now() - last > ALIVE) {
        last = performance.now();
        tell({ kind: "alive" });
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
    onProgress: (progress) => tell({ kind: "progress", progress }),
  });
  // A promise that is never settled.
  if (!isDrawn) throw new Error(`The function did not return in ${maxSeconds} s.`);
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
