import type { Source } from "../mechanism/source.ts";
import { chaskey } from "./chaskey.ts";
import { Xoshiro128 } from "./xoshiro128.ts";

/** A public constant, the key at the root of every path: "dpcheck seeded 1" in ASCII. */
const ROOT = Uint32Array.of(0x68637064, 0x206b6365, 0x64656573, 0x31206465);

/** The message whose code is the state: shorter than any step, so it is the code of none. */
const STATE = new Uint8Array(1);

/**
 * A reproducible source: equal seeds give equal streams, on every machine and in every version (the
 * streams are snapshotted; changing one is a breaking change). For audits, proofs and tests. Never
 * for a private release: its outputs are predictable.
 *
 * A source is a path: a seed followed by labels. The 128-bit key of a path is the Chaskey-12 code of
 * its last step under the key of the path before, and the state of the generator (xoshiro128**) is a
 * code under the key. So {@linkcode SeededSource.split} depends on the path and the label alone,
 * never on what was drawn, and sources of different paths share a state with probability 2⁻¹²⁸.
 *
 * @example
 * ```ts
 * import { SeededSource } from "./seeded_source.ts";
 * const source = new SeededSource(1);
 * source.split("labels").uint32() === new SeededSource(1).split("labels").uint32(); // true
 * ```
 */
export class SeededSource implements Source {
  /** Always `"seeded"`: reproducible, never private. */
  readonly kind = "seeded";
  readonly #key: Uint32Array;
  readonly #generator: Xoshiro128;

  /**
   * Starts the stream of a seed: a safe integer, a bigint (a number and a bigint of the same value
   * are the same seed) or a text.
   *
   * @throws {RangeError} when a number is not a safe integer.
   * @throws {TypeError} when the seed is neither number nor bigint nor string.
   */
  constructor(seed: number | bigint | string);
  constructor(step: number | bigint | string, parent?: Uint32Array) {
    if (parent === undefined) requireSeed(step);
    this.#key = chaskey(parent ?? ROOT, encodeStep(step));
    // The generator refuses the all-zero state, which one path in 2¹²⁸ has.
    this.#generator = new Xoshiro128(chaskey(this.#key, STATE));
  }

  /** A uniform integer in [0, 2³²). */
  uint32(): number {
    return this.#generator.next();
  }

  /** A uniform double among the multiples of 2⁻⁵³ in the open interval (0, 1). */
  uniform(): number {
    for (;;) {
      const high = this.#generator.next(), low = this.#generator.next();
      const value = high * 2 ** -32 + (low >>> 11) * 2 ** -53;
      if (value > 0) return value;
    }
  }

  /** Fills `out` with what as many calls of {@linkcode SeededSource.uint32} would give. */
  fillUint32(out: Uint32Array): void {
    this.#generator.fill(out);
  }

  /**
   * The source of the path one label longer. The number 1 and the text "1" are different labels.
   *
   * @throws {RangeError} when a number is NaN or infinite.
   * @throws {TypeError} when the label is neither number nor string.
   */
  split(label: string | number): SeededSource {
    if (typeof label !== "string" && typeof label !== "number") {
      throw new TypeError(
        `Cannot split a source: label must be a number or a string: current value is ${typeof label}`,
      );
    }
    if (typeof label === "number" && !Number.isFinite(label)) {
      throw new RangeError(
        `Cannot split a source: label must be finite: current value is ${label}`,
      );
    }
    const Child = SeededSource as new (step: string | number, parent: Uint32Array) => SeededSource;
    return new Child(label, this.#key);
  }
}

function requireSeed(seed: unknown): void {
  if (typeof seed === "bigint" || typeof seed === "string") return;
  if (typeof seed !== "number") {
    throw new TypeError(
      `Cannot seed a source: seed must be a number, bigint or string: current value is ${typeof seed}`,
    );
  }
  if (!Number.isSafeInteger(seed)) {
    throw new RangeError(
      `Cannot seed a source: seed must be a safe integer: current value is ${seed}`,
    );
  }
}

/** The type of the step and its UTF-16 code units: unlike UTF-8, one to one for every string. */
function encodeStep(step: number | bigint | string): Uint8Array {
  const text = (typeof step === "string" ? "s" : "n") + String(step);
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit; // Modulo 256, as bytes are.
    bytes[2 * i + 1] = unit >>> 8;
  }
  return bytes;
}
