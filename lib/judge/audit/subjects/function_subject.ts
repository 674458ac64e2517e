import type { Claim } from "../../../core/claims/claim.ts";
import type { Domain } from "../../../core/relations/dataset.ts";
import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import { declaredCall } from "../../../core/mechanism/declared_call.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { requireFields, requireKind, requirePositive } from "../../../core/numeric/require.ts";
import { copyOf } from "./copy_of.ts";
import { LONGEST_WAIT } from "./longest_wait.ts";
import type { Coins } from "../kernel/order/coins.ts";
import { unaskedOf } from "../kernel/order/lost_outputs.ts";
import { dealOutputs, type Outputs, packOutputs, type PairOutputs } from "../kernel/outputs.ts";
import { outputProblem } from "./output_limits.ts";
import { OutputSources } from "./output_sources.ts";
import { seenOutput, thrownBy } from "./seen.ts";
import { type PairData, type Subject, SubjectFailure } from "../kernel/subject.ts";

/** How a plain function is drawn from, and what reports show of it. */
export interface FunctionSubjectOptions {
  /** Its name in reports. */
  readonly name: string;
  /**
   * Handed to every call of a function whose second parameter has no default, with discrete and continuous draws as its methods; code
   * with randomness of its own may ignore it.
   */
  readonly source: Source;
  /** The claim it makes. */
  readonly claim?: Claim;
  /** The datasets it takes: a search for pairs stays inside. */
  readonly domain?: Domain;
  /** How long a promise may take before the subject counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Called after each output, to show that the function does not hang. */
  readonly onOutput?: (() => void) | undefined;
}

/**
 * Returns a plain function, asynchronous or not, as a subject. Every call gets a copy of the data, so
 * code that sorts or edits its input in place does not change the next call's. An error thrown, or a
 * promise rejected, is an output. The function may keep state between calls: it is called in the order of the coins. `source` is
 * handed to it only if its second parameter has no default: a threshold or an ε there keeps its value.
 *
 * @throws {TypeError} where it is not clear whether the function takes a source; the message says how to wrap it.
 *
 * @example
 * ```ts
 * import type { Source } from "@dpcheck/dpcheck";
 * const noisySum = (data: number[], source: Source) =>
 *   data.reduce((sum, x) => sum + x, 0) + source.uniform();
 * const subjectOf = (source: Source) => functionSubject(noisySum, { name: "noisy sum", source });
 * ```
 */
export function functionSubject<Data>(
  run: (data: Data, source: ProgramSource) => unknown,
  options: FunctionSubjectOptions,
): Subject {
  requireKind("functionSubject", "run", run, "function");
  const { name, source, claim, domain, timeoutSeconds = 30, onOutput } = requireFields(
    "functionSubject",
    options,
    { name: "text", source: "source", domain: "record?", onOutput: "function?" },
  );
  requirePositive("start a subject", "timeoutSeconds", timeoutSeconds);
  const { run: call, calledWith } = declaredCall(run);
  const sources = new OutputSources(name, source);
  const settled = async (promise: PromiseLike<unknown>): Promise<unknown> => {
    let output: unknown;
    try {
      output = await inTime(promise, { name, timeoutSeconds });
    } catch (error) {
      if (error instanceof SubjectFailure) throw error;
      output = thrownBy(error);
    }
    return checked(output);
  };
  const checked = (output: unknown): unknown => {
    onOutput?.();
    sources.requireDifferentLabels();
    const problem = outputProblem(output);
    if (problem !== undefined) throw new SubjectFailure(`${name} put out ${problem}`);
    return seenOutput(output);
  };
  /** Returns an output, or a promise of one where the function gives a promise. */
  const drawOne = (data: unknown): unknown => {
    let output: unknown;
    sources.begin();
    try {
      output = call(copyOf(data), sources.draws);
    } catch (error) {
      output = thrownBy(error);
    }
    return isPromise(output) ? settled(output) : checked(output);
  };
  return {
    name,
    calledWith,
    ...(claim === undefined ? {} : { claim }),
    ...(domain === undefined ? {} : { domain }),
    async draw(data: unknown, count: number): Promise<Outputs> {
      const values = new Array<unknown>(count);
      for (let i = 0; i < count; i++) {
        const output = drawOne(data);
        values[i] = output instanceof Promise ? await output : output;
      }
      return packOutputs(values);
    },
    async drawInOrder({ left, right }: PairData, coins: Coins): Promise<PairOutputs> {
      const { order, ends } = coins, values: unknown[] = [];
      for (let i = 0; i < order.length && ends?.isOver() !== true; i++) {
        const output = drawOne(order[i] === 0 ? left : right);
        values.push(output instanceof Promise ? await output : output);
      }
      const asked = values.length;
      const dealt = dealOutputs({ kind: "values", values }, order.subarray(0, asked));
      return { ...dealt, ...unaskedOf(coins, asked) };
    },
    close: () => Promise.resolve(),
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}

async function inTime(
  promise: PromiseLike<unknown>,
  { name, timeoutSeconds }: { name: string; timeoutSeconds: number },
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new SubjectFailure(`${name} hung: its promise was not settled in ${timeoutSeconds} s`),
        ),
      Math.min(LONGEST_WAIT, timeoutSeconds * 1000),
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
