import type { Dataset } from "../../../core/relations/dataset.ts";
import { requireNoDefault } from "../../../core/mechanism/declared_call.ts";
import type { Mechanism } from "../../../core/mechanism/mechanism.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import { requireFields, requireKind } from "../../../core/numeric/require.ts";
import { copyOf } from "./copy_of.ts";
import { allLost, unaskedOf } from "../kernel/order/lost_outputs.ts";
import type { Coins } from "../kernel/order/coins.ts";
import { dealOutputs, type Outputs, packOutputs, type PairOutputs } from "../kernel/outputs.ts";
import { OutputSources } from "./output_sources.ts";
import { seenOutput, thrownBy } from "./seen.ts";
import { type PairData, type Subject, SubjectFailure } from "../kernel/subject.ts";

/** The draws of an audit of a mechanism with blocks that is given no number of them. */
const USUAL_DRAWS = 1_000_000;

/** How a mechanism is drawn from. */
export interface MechanismSubjectOptions {
  /** Handed to every call; to `sample` with discrete and continuous draws as its methods. */
  readonly source: Source;
  /** Called after each output that is drawn singly, to show that the mechanism does not hang. */
  readonly onOutput?: (() => void) | undefined;
}

/**
 * Returns a mechanism in this process as a subject: one call of `sample` an output, in the order of the coins. A mechanism with
 * `sampleMany` (and a `width`) declares that the outputs of a block are independent: it is then drawn from in blocks of one
 * side. An error thrown by `sample` is an output.
 *
 * Every call gets its own copy of the data, so that a mechanism that adds its noise to its input in place is audited on the
 * data that were given. (Frozen data would make such a mechanism throw, or, in code that is not strict, answer without its
 * noise.) Within a block `sampleMany` sees its own changes, for these are part of what it releases.
 *
 * After the first error from `sampleMany`, outputs are drawn one by one, on every dataset, and those of the blocks are lost,
 * for the mechanism knows by then how many of them are on each side. (To draw each failed block again, or the first one on each
 * dataset, would keep the good blocks and make errors too rare, by a factor that differs between the datasets: a mechanism that
 * keeps its claim could be refuted.)
 *
 * @throws {TypeError} when the mechanism has `sampleMany` but no positive integer `width`.
 *
 * @example
 * ```ts
 * import { pure, replaceOne, type Source } from "@dpcheck/dpcheck";
 * const coin = {
 *   name: "fair coin",
 *   claim: pure({ epsilon: 1, relation: replaceOne }),
 *   sample: (_data: readonly unknown[], source: Source) => source.uniform() < 0.5,
 * };
 * const subjectOf = (source: Source) => mechanismSubject(coin, { source });
 * ```
 */
export function mechanismSubject<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  options: MechanismSubjectOptions,
): Subject {
  requireKind("mechanismSubject", "mechanism", mechanism, "record");
  requireKind("mechanismSubject", "sample of mechanism", mechanism.sample, "function");
  const { source, onOutput } = requireFields("mechanismSubject", options, {
    source: "source",
    onOutput: "function?",
  });
  requireNoDefault(mechanism.sample, mechanism.name);
  const width = mechanism.width ?? 0;
  if (mechanism.sampleMany !== undefined && !(Number.isSafeInteger(width) && width > 0)) {
    throw new TypeError(
      `Cannot audit ${mechanism.name}: width must be a positive integer where there is ` +
        `sampleMany: current value is ${mechanism.width}`,
    );
  }
  const sources = new OutputSources(mechanism.name, source);
  let oneByOne = mechanism.sampleMany === undefined;
  const blockOf = (data: unknown, count: number): Outputs | undefined => {
    if (oneByOne) return undefined;
    sources.begin();
    // Of a single draw one side has no outputs, which no mechanism needs to know how to draw.
    const block = count === 0
      ? new Float64Array()
      : drawBlock(mechanism, data as Dataset<Row>, { count, source: sources.words });
    sources.requireDifferentLabels();
    if (block === undefined) {
      oneByOne = true;
      return undefined;
    }
    if (!(block instanceof Float64Array) || block.length !== count * width) {
      throw new SubjectFailure(
        `${mechanism.name} returned ${block?.length} numbers from sampleMany: ` +
          `expected ${count} outputs of width ${width}`,
      );
    }
    return { kind: "block", width, values: block };
  };
  const drawOne = (data: unknown): unknown => {
    sources.begin();
    let output: unknown;
    try {
      output = mechanism.sample(copyOf(data as Dataset<Row>), sources.draws);
    } catch (error) {
      output = thrownBy(error);
    }
    onOutput?.();
    sources.requireDifferentLabels();
    return seenOutput(output);
  };
  return {
    name: mechanism.name,
    ...(mechanism.claim === undefined ? {} : { claim: mechanism.claim }),
    ...(mechanism.domain === undefined ? {} : { domain: mechanism.domain }),
    ...(mechanism.sampleMany === undefined ? {} : { usualDraws: USUAL_DRAWS }),
    draw(data: unknown, count: number): Outputs {
      return blockOf(data, count) ??
        packOutputs(Array.from({ length: count }, () => drawOne(data)));
    },
    drawInOrder({ left, right }: PairData, coins: Coins): PairOutputs {
      const [first, second] = coins.leftFirst
        ? [() => blockOf(left, coins.left), () => blockOf(right, coins.right)]
        : [() => blockOf(right, coins.right), () => blockOf(left, coins.left)];
      const isBlock = !oneByOne, blocks = [first(), second()] as const;
      if (blocks[0] !== undefined && blocks[1] !== undefined) {
        return coins.leftFirst
          ? { left: blocks[0], right: blocks[1] }
          : { left: blocks[1], right: blocks[0] };
      }
      // The mechanism knows the numbers of outputs on both sides by now.
      if (isBlock) return allLost(coins);
      const { order, ends } = coins, values: unknown[] = [];
      for (let i = 0; i < order.length && ends?.isOver() !== true; i++) {
        values.push(drawOne(order[i] === 0 ? left : right));
      }
      const asked = values.length;
      const dealt = dealOutputs({ kind: "values", values }, order.subarray(0, asked));
      return { ...dealt, ...unaskedOf(coins, asked) };
    },
    close: () => Promise.resolve(),
  };
}

/** Returns a block of outputs; `undefined` without `sampleMany` or when it throws: outputs are then drawn singly. */
function drawBlock<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  data: Dataset<Row>,
  { count, source }: { count: number; source: Source },
): Float64Array | undefined {
  if (mechanism.sampleMany === undefined) return undefined;
  try {
    return mechanism.sampleMany(copyOf(data), count, source);
  } catch {
    return undefined;
  }
}
