import type { DiscreteLaw } from "./discrete_law.ts";

/** Continuous noise of mean 0, or above 0 where it is exponential; "uniform" lies from 0 to `scale`. */
export interface ContinuousNoise {
  /** Its law. */
  readonly law: "laplace" | "exponential" | "normal" | "uniform";
  /** Its scale: of normal noise the standard deviation. */
  readonly scale: number;
}

/**
 * A source of randomness. Everything random in dpcheck takes one explicitly: `Math.random` appears
 * nowhere. The two kinds are different types, so that a reproducible "private" release does not
 * compile: {@linkcode Release}s accept a source of kind `"secure"` only, audits accept either.
 */
export interface Source {
  /** `"secure"` draws from the platform's CSPRNG, `"seeded"` is reproducible and never private. */
  readonly kind: "secure" | "seeded";
  /** A uniform integer in [0, 2³²). */
  uint32(): number;
  /** A uniform double in the open interval (0, 1), with 53 random bits. */
  uniform(): number;
  /** Fills `out` with uniform 32-bit integers: the fast path that block samplers use. */
  fillUint32(out: Uint32Array): void;
  /**
   * A source independent of this one, and of those of other labels. In one output a program uses each label once: a seeded
   * source gives the same child for the same label, whatever was drawn from it before. (A secure source gives a new one each time.)
   * Audits and proofs hand a program a source whose children are new for each output, and refuse a label that comes twice.
   */
  split(label: string | number): Source;
  /**
   * Only on a source that enumerates what a program may draw, in place of drawing it: the next value of this law to
   * try. Exact samplers ask for it first, and draw nothing where it is.
   */
  branch?(law: DiscreteLaw): number;
  /**
   * Only on a source that watches a program: fills `out` with noise that it gives itself, so that it sees each draw whole. Samplers of
   * continuous noise ask for it first, and take no random words where it is.
   */
  fillNoise?(out: Float64Array, noise: ContinuousNoise): void;
  /** Only on a source that enumerates: what the program does from here on depends on `state` alone. */
  merge?(state: unknown): void;
}
