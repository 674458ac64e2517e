import type { Atom } from "../recording.ts";

/** One number of noise of a run: a draw of a standard law, or a function of other noise, with what it came to. */
export interface NoiseAtom {
  readonly index: number;
  readonly atom: Atom;
  readonly z: number;
  /** Whether it may stand for finished noise: a raw uniform number does not, it is still to be transformed. */
  readonly isSettled: boolean;
  readonly isWhole: boolean;
  /** Whether it has no value with a chance above 0: then it equals nothing. */
  readonly isContinuous: boolean;
}

/** A number that a program computes with: v + Σ c·z over noise. */
export class NoisyForm {
  readonly v: number;
  readonly terms: ReadonlyMap<NoiseAtom, number>;
  /** Whether a plain number was added, be it 0: noise that stands alone tells nothing of data. */
  readonly hasMet: boolean;

  constructor(v: number, terms: ReadonlyMap<NoiseAtom, number>, hasMet = false) {
    this.v = v;
    this.terms = terms;
    this.hasMet = hasMet;
  }

  static of(atom: NoiseAtom, c = 1): NoisyForm {
    return new NoisyForm(0, new Map([[atom, c]]));
  }

  /** Its value. */
  get value(): number {
    let sum = this.v;
    for (const [{ z }, c] of this.terms) sum += c * z;
    return sum;
  }

  plus(other: NoisyForm | number, factor = 1): NoisyForm {
    if (typeof other === "number") return new NoisyForm(this.v + factor * other, this.terms, true);
    const terms = new Map(this.terms);
    for (const [atom, c] of other.terms) {
      const own = terms.get(atom), sum = (own ?? 0) + factor * c;
      if (own !== undefined && sum === 0) terms.delete(atom);
      else terms.set(atom, sum);
    }
    return new NoisyForm(this.v + factor * other.v, terms, this.hasMet || other.hasMet);
  }

  times(factor: number): NoisyForm {
    const terms = new Map([...this.terms].map(([atom, c]) => [atom, c * factor]));
    return new NoisyForm(this.v * factor, terms, this.hasMet);
  }

  over(divisor: number): NoisyForm {
    const terms = new Map([...this.terms].map(([atom, c]) => [atom, c / divisor]));
    return new NoisyForm(this.v / divisor, terms, this.hasMet);
  }

  /** Whether this is finished noise alone, to which no plain number was added yet. */
  get isNoise(): boolean {
    return this.v === 0 && this.terms.size > 0 &&
      [...this.terms.keys()].every(({ isSettled }) => isSettled);
  }

  /** Whether it is noise alone, or a step on the way to noise: 1 − u, for a uniform number u. */
  get isStep(): boolean {
    return this.v === 0 || [...this.terms.keys()].every(({ isSettled }) => !isSettled);
  }

  get isWhole(): boolean {
    return Number.isInteger(this.v) &&
      [...this.terms].every(([{ isWhole }, c]) => isWhole && Number.isInteger(c));
  }

  /** Whether it is 0 with probability 0: an answer that needs no read. */
  get equalsNothing(): boolean {
    return [...this.terms].some(([{ isContinuous }, c]) => isContinuous && c !== 0);
  }
}

/** Returns a form as recordings write it. */
export function writtenForm({ v, terms }: NoisyForm): readonly [
  number,
  readonly (readonly [number, number])[],
] {
  return [v, [...terms].map(([{ index }, c]) => [index, c])];
}
