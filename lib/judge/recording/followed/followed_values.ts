import { current } from "../../source/current.ts";
import { isTraced, operationOf, recompute, type Traced, valueOf } from "../../source/mod.ts";
import { type NoiseAtom, NoisyForm } from "./noisy_form.ts";
import type { Tape } from "./tape.ts";

/** The operation of a value that is noise from its beginning; its operand is the form. */
export const NOISE = "noise";

/** Functions of `Math` that are functions of noise, by the names that recordings have for them. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  "Math.log": "log",
  "Math.log1p": "log1p",
  "Math.log2": "log2",
  "Math.log10": "log10",
  "Math.exp": "exp",
  "Math.expm1": "expm1",
  "Math.sqrt": "sqrt",
  "Math.cos": "cos",
  "Math.sin": "sin",
  "Math.tan": "tan",
  "Math.atan": "arctan",
  "Math.abs": "absolute",
  "Math.sign": "sign",
  "Math.floor": "floor",
  "Math.ceil": "ceil",
  "Math.round": "rint",
  "Math.trunc": "trunc",
};

/** Comparisons as a sign: whether left − right, or right − left, is above 0, or is not. */
const COMPARISONS: Readonly<Record<string, readonly [factor: 1 | -1, isNot: boolean]>> = {
  ">": [1, false],
  "<": [-1, false],
  "<=": [1, true],
  ">=": [-1, true],
};

/** What functions say of noise of a law that is known, whatever it comes to: it is a number, and finite. */
const TESTS: Readonly<Record<string, boolean>> = {
  "isNaN": false,
  "Number.isNaN": false,
  "isFinite": true,
  "Number.isFinite": true,
};

/** The most noise of one number. */
const MOST_TERMS = 1000;

/** A followed value: a form over noise, or a plain value where its noise was read. */
type Found = NoisyForm | unknown;

/** The values of one run as forms over its noise: what has no form reads the noise that it uses. */
export class FollowedValues {
  readonly #tape: Tape;
  readonly #found = new Map<Traced, Found>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** Returns a plain value for what looks at a value that may be followed. */
  plain(value: unknown): unknown {
    const own = this.of(value);
    if (!(own instanceof NoisyForm)) return own;
    return this.#learn(own, value as Traced);
  }

  /** Reads a value: by an operation, or by what comes after the program and its own code. */
  #learn(form: NoisyForm, value: Traced, at?: string): unknown {
    const plain = this.#read(form, value, at);
    this.#found.set(value, plain);
    return plain;
  }

  /** Returns the way that a condition goes. */
  decide(condition: Traced): boolean {
    const own = this.of(condition);
    return own instanceof NoisyForm
      ? own.equalsNothing || Boolean(this.plain(condition))
      : Boolean(own);
  }

  /** Returns the form of a value. */
  of(value: unknown): Found {
    if (!isTraced(value)) return value;
    const stack: Traced[] = [value];
    // Long sums are deep: operands come first, without recursion.
    while (stack.length > 0) {
      const each = stack.at(-1)!;
      if (this.#found.has(each)) {
        stack.pop();
        continue;
      }
      const { op, operands, run } = operationOf(each);
      if (run !== current.run) {
        this.#tape.lose("the program keeps noise of an earlier run", operationOf(each).at);
      }
      const missing = op === NOISE
        ? []
        : operands.filter((operand): operand is Traced =>
          isTraced(operand) && !this.#found.has(operand)
        );
      if (missing.length > 0) {
        stack.push(...missing.toReversed());
        continue;
      }
      stack.pop();
      this.#found.set(each, op === NOISE ? operands[0] : this.#operation(each));
    }
    return this.#found.get(value);
  }

  #operation(value: Traced): Found {
    const { op, operands } = operationOf(value);
    const given = operands.map((operand) => isTraced(operand) ? this.#found.get(operand) : operand);
    if (!given.some((own) => own instanceof NoisyForm)) return this.#again(value);
    const areNumbers = given.every((own) => own instanceof NoisyForm || typeof own === "number");
    const own = areNumbers
      ? this.#ofNumbers(value, given as readonly (NoisyForm | number)[])
      : this.#ofOthers(op, given);
    if (own !== undefined) return own;
    for (const operand of operands) {
      const form = isTraced(operand) ? this.#found.get(operand) : undefined;
      if (form instanceof NoisyForm) this.#learn(form, operand as Traced, operationOf(value).at);
    }
    return this.#again(value);
  }

  /** Computes an operation on plain operands. */
  #again(value: Traced): unknown {
    const known = new Map<Traced, unknown>();
    for (const operand of operationOf(value).operands) {
      if (isTraced(operand)) known.set(operand, this.#found.get(operand));
    }
    return recompute(value, () => undefined, known);
  }

  /** Operations of numbers, `undefined` for what looks at their values. */
  #ofNumbers(value: Traced, given: readonly (NoisyForm | number)[]): Found | undefined {
    const { op, at } = operationOf(value), [a, b] = given as [NoisyForm | number, NoisyForm];
    switch (op) {
      case "+":
        return this.#met(given, this.#short(sum(a, b, 1), at), value);
      case "-":
        return this.#met(given, this.#short(sum(a, b, -1), at), value);
      case "unary -":
        return times(a, -1);
      case "unary +":
      case "Number":
        return a;
      case "*":
        return typeof a === "number"
          ? times(b, a)
          : typeof b === "number"
          ? times(a, b)
          : this.#derived("multiply", [a, b], at);
      case "/":
        return this.#quotient(a, b, at);
      case "**":
      case "Math.pow":
        if (typeof b !== "number") return undefined;
        return b === 1
          ? a
          : b === 2
          ? this.#derived("multiply", [a, a], at)
          : this.#derived(b === 0.5 ? "sqrt" : "power", b === 0.5 ? [a] : [a, b], at);
      case "unary ~": {
        const down = this.#derived("trunc", [a], at);
        return down && times(down, -1).plus(-1);
      }
      case "|":
        return (b as unknown) === 0 && !isBeyondInt32(a as NoisyForm)
          ? this.#derived("trunc", [a], at)
          : undefined;
      case ">>>":
      case ">>":
        return typeof b === "number" && this.#tape.isWord(a as NoisyForm)
          ? b === 0 ? a : this.#derived("floor", [times(a, 2 ** -b)], at)
          : undefined;
      case "Math.max":
        return this.#extreme("largest", given, value);
      case "Math.min":
        return this.#extreme("smallest", given, value);
      case "===":
      case "==":
        return this.#areEqual(a, b);
      case "!==":
      case "!=": {
        const areEqual = this.#areEqual(a, b);
        return areEqual === undefined ? undefined : !areEqual;
      }
      case "unary !":
        return (a as NoisyForm).equalsNothing ? false : undefined;
    }
    if (COMPARISONS[op] !== undefined) {
      const [factor, isNot] = COMPARISONS[op], gap = times(sum(a, b, -1), factor);
      return this.#isAbove(gap, at) !== isNot;
    }
    if (TESTS[op] !== undefined && this.#tape.hasLaw(a as NoisyForm)) return TESTS[op];
    const name = FUNCTIONS[op];
    if (name === undefined) return undefined;
    if (name === "trunc" || name === "floor" || name === "ceil" || name === "rint") {
      if ((a as NoisyForm).isWhole) return a;
    }
    return this.#derived(name, [a], at);
  }

  /** Operations with what is no number, which are answered without a look at the noise; `undefined` for others. */
  #ofOthers(op: string, given: readonly unknown[]): unknown {
    const types = given.map((own) => own instanceof NoisyForm ? "number" : typeof own);
    if ((op === "===" || op === "!==") && types[0] !== types[1]) return op === "!==";
    const isNothing = given.some((own) => own === undefined || own === null);
    return (op === "==" || op === "!=") && isNothing ? op === "!=" : undefined;
  }

  /** Returns a sum of no more noise than a judge looks at. */
  #short(form: NoisyForm, at: string): NoisyForm {
    if (form.terms.size > MOST_TERMS) {
      this.#tape.lose(`a number is the sum of more than ${MOST_TERMS} draws`, at);
    }
    return form;
  }

  /** Returns a sum; where noise first meets a plain number in it, it is released, if that is the policy. */
  #met(given: readonly (NoisyForm | number)[], total: NoisyForm, value: Traced): Found {
    const isMeeting = this.#tape.options.meet === true &&
      given.some((own) => typeof own === "number") &&
      given.some((own) => own instanceof NoisyForm && own.isNoise);
    return isMeeting ? this.#read(total, value, operationOf(value).at) : total;
  }

  #derived(
    name: string,
    given: readonly (NoisyForm | number)[],
    at: string,
  ): NoisyForm | undefined {
    return this.#tape.readsAt(name, at) ? undefined : this.#tape.derive(name, given, at);
  }

  /** Returns a quotient: noise over noise is a law of its own; else the divisor is read. */
  #quotient(a: NoisyForm | number, b: NoisyForm | number, at: string): NoisyForm | undefined {
    if (typeof b === "number") return (a as NoisyForm).over(b);
    const isNoise = b.isStep && (typeof a === "number" || a.isStep);
    return isNoise ? this.#derived("divide", [a, b], at) : undefined;
  }

  #areEqual(a: NoisyForm | number, b: NoisyForm | number): boolean | undefined {
    const gap = sum(a, b, -1);
    return gap.equalsNothing ? false : gap.terms.size === 0 ? gap.v === 0 : undefined;
  }

  /** Returns true if a form is above 0. */
  #isAbove(gap: NoisyForm, at: string): boolean {
    const raw = gap.value > 0;
    if (gap.terms.size === 0) return raw;
    return this.#tape.read("sign", [gap], { raw, at }) as boolean;
  }

  #extreme(
    kind: "largest" | "smallest",
    given: readonly (NoisyForm | number)[],
    value: Traced,
  ): Found {
    if (given.length === 1) return given[0];
    const [a, b] = given, up = kind === "largest" ? 1 : -1;
    if (given.length === 2 && !given.every((own) => own instanceof NoisyForm)) {
      // One side is a bound.
      return given[this.#isAbove(times(sum(a!, b!, -1), up), operationOf(value).at) ? 0 : 1];
    }
    return given[this.#placeOf(kind, given, operationOf(value).at)];
  }

  /** Returns the place of the largest of some numbers. */
  indexOfLargest(values: readonly unknown[], at: string): number {
    const given = values.map((value) => this.of(value)) as (NoisyForm | number)[];
    return this.#placeOf("largest", given, at);
  }

  #placeOf(
    kind: "largest" | "smallest",
    given: readonly (NoisyForm | number)[],
    at: string,
  ): number {
    const forms = given.map((own) =>
      own instanceof NoisyForm ? own : new NoisyForm(own, new Map())
    );
    const up = kind === "largest" ? 1 : -1;
    const raw = forms.reduce(
      (best, own, i) => up * own.value > up * forms[best]!.value ? i : best,
      0,
    );
    if (given.every((own) => typeof own === "number")) return raw;
    return this.#tape.read(kind, forms, { raw, at, shape: [forms.length] }) as number;
  }

  #read(form: NoisyForm, value: Traced, by?: string): unknown {
    const { at: made } = operationOf(value), { replay, kept, shifts } = this.#tape.options;
    const isFirst = replay === undefined && kept === undefined && shifts === undefined;
    const own = form.isWhole ? Math.round(form.value) : form.value, plain = valueOf(value);
    const raw = isFirst && typeof plain === "number" ? plain : own;
    if (form.terms.size === 0) return raw;
    const isOutput = by === undefined && this.#tape.isOutput;
    // Where a value is put out, the line of its last draw is named.
    const at = isOutput ? this.#lineOf(form) : by ?? current.run.at;
    return this.#tape.read("value", [form], { raw, at, made: isOutput ? at : made, isOutput });
  }

  #lineOf({ terms }: NoisyForm): string {
    const bases = this.#bases([...terms.keys()]);
    return bases.reduce((last, own) => own.index > last.index ? own : last).atom.at;
  }

  #bases(atoms: readonly NoiseAtom[]): NoiseAtom[] {
    return atoms.flatMap((own) => {
      const inner = (own.atom.of ?? []).flatMap((part) =>
        typeof part === "number" ? [] : part[1].map(([i]) => this.#tape.atoms[i]!)
      );
      return inner.length === 0 ? [own] : this.#bases(inner);
    });
  }
}

/** Returns true if a form of uniform numbers has values that are no 32-bit integers: the digits beyond are cut off. */
function isBeyondInt32({ v, terms }: NoisyForm): boolean {
  const all = [...terms];
  if (all.some(([{ atom }]) => atom.law !== "uniform")) return false;
  const ends = [-1, 1].map((sign) =>
    all.reduce((sum, [, c]) => sum + sign * Math.max(0, sign * c), v)
  );
  return ends[0]! < -(2 ** 31) - 1 || ends[1]! > 2 ** 31;
}

function times(a: NoisyForm | number, factor: number): NoisyForm {
  return typeof a === "number" ? new NoisyForm(a * factor, new Map()) : a.times(factor);
}

function sum(a: NoisyForm | number, b: NoisyForm | number, factor: 1 | -1): NoisyForm {
  return typeof a === "number" ? times(b, factor).plus(a) : a.plus(b, factor);
}
