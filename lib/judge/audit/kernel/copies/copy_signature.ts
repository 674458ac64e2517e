import { createHash } from "node:crypto";
import { outputValues } from "../outputs.ts";
import { type Subject, SubjectFailure } from "../subject.ts";
import { ENOUGH_NATS, MOST_COMPARED } from "./compared_copies.ts";
import { comparable, Entropy } from "./entropy.ts";

/** The first outputs of a copy on a dataset, as hashes of the first 1, 2, 4, … and of all of them. */
export type CopySignature = readonly { readonly outputs: number; readonly hash: string }[];

/**
 * Draws the signature of a copy that was just started: outputs on `data`, one at a time, until an independent copy has drawn
 * the same ones with probability at most e⁻⁴⁰, or {@linkcode MOST_COMPARED} outputs are drawn. Nothing may be bet on them.
 */
export async function copySignature(subject: Subject, data: unknown): Promise<CopySignature> {
  const entropy = new Entropy(), marks: { outputs: number; hash: string }[] = [];
  const hash = createHash("sha256");
  for (let outputs = 1;; outputs++) {
    const text = comparable(outputValues(await subject.draw(data, 1)).next().value);
    hash.update(JSON.stringify(text));
    entropy.add(data, text);
    const isLast = entropy.nats >= ENOUGH_NATS || outputs >= MOST_COMPARED;
    if (isLast || (outputs & (outputs - 1)) === 0) {
      marks.push({ outputs, hash: hash.copy().digest("hex") });
    }
    if (isLast) return marks;
  }
}

/**
 * The copies of a subject that have drawn for one audit, wherever they run. Equal outputs would count as evidence twice, so a copy
 * that draws what another one drew is refused, whether they have the same seed or hardly vary.
 */
export class KnownCopies {
  readonly #name: string;
  readonly #signatures = new Map<string, CopySignature>();

  /** Copies of the subject of this name. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Returns true if a copy is known by this name of its own. */
  has(copy: string): boolean {
    return this.#signatures.has(copy);
  }

  /** Adds a copy. @throws {SubjectFailure} when it drew the same as another one. */
  add(copy: string, signature: CopySignature): void {
    for (const [other, known] of this.#signatures) {
      if (other === copy || !agree(known, signature)) continue;
      throw new SubjectFailure(
        `copies of ${this.#name} drew the same ${
          signature.at(-1)!.outputs
        } outputs: they start from the same seed, ` +
          "or hardly vary, so that only one of them can be audited: leave --workers and --queue out",
      );
    }
    this.#signatures.set(copy, signature);
  }
}

/** Returns true if two copies agree as far as both were drawn from. */
function agree(one: CopySignature, other: CopySignature): boolean {
  const hashes = new Map(other.map(({ outputs, hash }) => [outputs, hash]));
  const last = one.findLast(({ outputs }) => hashes.has(outputs));
  return last !== undefined && hashes.get(last.outputs) === last.hash;
}
