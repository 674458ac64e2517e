import type { Dataset } from "../../core/dataset.ts";
import type { Mechanism } from "../../core/mechanism.ts";
import type { Source } from "../../core/source.ts";
import { type Outputs, type Subject, SubjectFailure, Thrown } from "../subject.ts";
import { copyOf } from "./copy_of.ts";
import { packOutputs } from "./pack_outputs.ts";

/** How a mechanism is drawn from. */
export interface MechanismSubjectOptions {
  /** Handed to every call. */
  readonly source: Source;
  /** Called after each output that is drawn singly: a sign of life. */
  readonly onOutput?: (() => void) | undefined;
}

/**
 * A mechanism of this process as the auditor sees it: blocks from `sampleMany` where the mechanism has
 * that and a `width`, otherwise one call of `sample` an output. An error thrown by `sample` is an output.
 *
 * Every call gets a copy of the data of its own, so that a mechanism which adds its noise to its input in place is audited
 * on the data that were given. (Frozen data would not do: such a mechanism would throw, or, in code that is not strict,
 * answer without its noise.) Within a block `sampleMany` sees what it has changed itself, for that is what it releases.
 *
 * After the first error from `sampleMany`, outputs are drawn one by one, whatever the dataset. (To draw every
 * failed block again, or one on each dataset, would keep the good blocks and make errors too rare, by a factor
 * that differs between the datasets: a mechanism that keeps its claim could be refuted.)
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
  { source, onOutput }: MechanismSubjectOptions,
): Subject {
  const width = mechanism.width ?? 0;
  if (mechanism.sampleMany !== undefined && !(Number.isSafeInteger(width) && width > 0)) {
    throw new TypeError(
      `Cannot audit ${mechanism.name}: width must be a positive integer where there is ` +
        `sampleMany: current value is ${mechanism.width}`,
    );
  }
  let oneByOne = mechanism.sampleMany === undefined;
  return {
    name: mechanism.name,
    ...(mechanism.claim === undefined ? {} : { claim: mechanism.claim }),
    ...(mechanism.domain === undefined ? {} : { domain: mechanism.domain }),
    draw(data: unknown, count: number): Outputs {
      const dataset = data as Dataset<Row>;
      const block = oneByOne ? undefined : drawBlock(mechanism, dataset, { count, source });
      if (block === undefined) {
        oneByOne = true;
        return drawEach(mechanism, dataset, { count, source, onOutput });
      }
      if (!(block instanceof Float64Array) || block.length !== count * width) {
        throw new SubjectFailure(
          `${mechanism.name} returned ${block?.length} numbers from sampleMany: ` +
            `expected ${count} outputs of width ${width}`,
        );
      }
      return { kind: "block", width, values: block };
    },
    close: () => Promise.resolve(),
  };
}

interface Batch extends MechanismSubjectOptions {
  readonly count: number;
}

/** The block, or `undefined` without `sampleMany` or when it throws: outputs are then drawn singly. */
function drawBlock<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  data: Dataset<Row>,
  { count, source }: Batch,
): Float64Array | undefined {
  if (mechanism.sampleMany === undefined) return undefined;
  try {
    return mechanism.sampleMany(copyOf(data), count, source);
  } catch {
    return undefined;
  }
}

function drawEach<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  data: Dataset<Row>,
  { count, source, onOutput }: Batch,
): Outputs {
  const values = new Array<unknown>(count);
  for (let i = 0; i < count; i++) {
    try {
      values[i] = mechanism.sample(copyOf(data), source);
    } catch (error) {
      values[i] = new Thrown(error instanceof Error ? error.message : String(error));
    }
    onOutput?.();
  }
  return packOutputs(values);
}
