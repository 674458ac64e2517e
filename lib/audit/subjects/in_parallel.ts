import { type Outputs, type Subject, SubjectFailure } from "../subject.ts";
import { joinOutputs, outputValues } from "./pack_outputs.ts";

/** Outputs of each copy that are compared before copies are taken to differ. */
const MOST_COMPARED = 1 << 14;
/** Copies that agree have the same seed when chance would let them agree with probability e^−40 at most. */
const ENOUGH_NATS = 40;

/**
 * Several copies of one subject that draw at the same time, each its share of the outputs.
 *
 * The copies must not share their randomness: outputs that come twice would be taken for twice the
 * evidence. A program that always starts from the same seed is therefore refused: as long as nothing else
 * is known, all copies are asked the same, and compared.
 */
export function inParallel(copies: readonly Subject[]): Subject {
  const first = copies[0]!;
  if (copies.length === 1) return first;
  const compared = new Compared(first.name);
  return {
    ...first,
    async draw(data: unknown, count: number): Promise<Outputs> {
      if (compared.differ || count === 0) {
        const share = Math.floor(count / copies.length), rest = count % copies.length;
        const counts = copies.map((_, k) => share + (k < rest ? 1 : 0));
        return joinOutputs(await drawAll(copies, { data, counts }));
      }
      // The same for all, so that copies of one seed give the same; what is too much is dropped.
      const each = Math.ceil(count / copies.length);
      const parts = await drawAll(copies, { data, counts: copies.map(() => each) });
      compared.look(parts);
      return firstOf(joinOutputs(parts), count);
    },
    close: async () => {
      await Promise.all(copies.map((copy) => copy.close()));
    },
  };
}

/** Copies that may be asked for: each takes a thread or a process, and memory. */
export const MOST_WORKERS = 256;

/** @throws {RangeError} unless it is a whole number from 1 to {@linkcode MOST_WORKERS}. */
export function requireWorkers(workers: number): void {
  if (Number.isSafeInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return;
  throw new RangeError(
    `Cannot start a subject: workers must be a whole number from 1 to ${MOST_WORKERS}: ` +
      `current value is ${workers}`,
  );
}

/** What each copy draws. A failure is reported when all have ended: no copy is left drawing. */
async function drawAll(
  copies: readonly Subject[],
  { data, counts }: { data: unknown; counts: readonly number[] },
): Promise<Outputs[]> {
  const drawn = await Promise.allSettled(
    copies.map(async (copy, k) => counts[k] === 0 ? undefined : await copy.draw(data, counts[k]!)),
  );
  const parts: Outputs[] = [];
  for (const part of drawn) {
    if (part.status === "rejected") throw part.reason;
    if (part.value !== undefined) parts.push(part.value);
  }
  return parts;
}

function firstOf(outputs: Outputs, count: number): Outputs {
  return outputs.kind === "values"
    ? { kind: "values", values: outputs.values.slice(0, count) }
    : { ...outputs, values: outputs.values.subarray(0, count * outputs.width) };
}

/** Whether copies have shown that they draw different outputs. */
class Compared {
  readonly #name: string;
  /** The copies after the first that have agreed with it so far, by their place. */
  #alike: number[] | undefined;
  #outputs = 0;
  #nats = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether nothing is left to be compared. */
  get differ(): boolean {
    return this.#alike?.length === 0 || this.#outputs >= MOST_COMPARED;
  }

  /**
   * Compares what the copies gave when all were asked the same.
   *
   * No law makes a sequence of n outputs likelier than e^(−nH), where H is the entropy of the
   * sequence's own frequencies. So the product of e^(nH) over requests, as long as a copy repeats the first,
   * has expectation at most 1 if it draws by itself, and reaches e^40 with probability e^(−40) at most.
   *
   * @throws {SubjectFailure} when a copy agrees beyond that.
   */
  look(parts: readonly Outputs[]): void {
    const [first, ...others] = parts.map((part) => [...outputValues(part)].map(textOf));
    this.#alike = (this.#alike ?? others.map((_, k) => k))
      .filter((k) => others[k]!.every((text, i) => text === first![i]));
    this.#outputs += first!.length;
    this.#nats += entropyOf(first!);
    if (this.#alike.length > 0 && this.#nats >= ENOUGH_NATS) {
      throw new SubjectFailure(
        `copies of ${this.#name} drew the same ${this.#outputs} outputs: all start from the same seed, ` +
          "so that only one of them can be audited",
      );
    }
  }
}

/** nH: by how many nats the outputs' own frequencies make their sequence unlikely. */
function entropyOf(outputs: readonly string[]): number {
  const times = new Map<string, number>();
  for (const output of outputs) times.set(output, (times.get(output) ?? 0) + 1);
  let nats = 0;
  for (const n of times.values()) nats -= n * Math.log(n / outputs.length);
  return nats;
}

function textOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
