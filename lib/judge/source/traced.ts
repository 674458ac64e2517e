/** What a value that is followed tells when native code reads it: set by the operations. */
export interface NativeReads {
  /** The value for native code that makes a number or a text of it, or reads a property. */
  plain(value: Traced, what: string): unknown;
}

let reads: NativeReads = { plain: (value) => valueOf(value) };

/** Names who is told of native reads. */
export function onNativeReads(by: NativeReads): void {
  reads = by;
}

const { defineProperty, setPrototypeOf } = Object;
const missing: object = new Proxy(Object.create(null), {
  get(_, key, self): unknown {
    // What JavaScript asks of every object: whether it is a promise, how it is spread, its tag.
    if (key === "then" || key === "constructor") return undefined;
    if (typeof key === "symbol" && key !== Symbol.iterator) return undefined;
    const plain = Object(reads.plain(self as Traced, `property ${String(key)}`));
    const value = plain[key];
    return typeof value === "function" ? value.bind(plain) : value;
  },
  has: () => false,
  set(_, key): boolean {
    throw new TypeError(`Cannot create property '${String(key)}' on a primitive value`);
  },
});

let isJsonOurs = false;

/** Makes a text of JSON that goes through followed values itself, by a replacer. */
export function makingJson<Result>(work: () => Result): Result {
  const before = isJsonOurs;
  isJsonOurs = true;
  try {
    return work();
  } finally {
    isJsonOurs = before;
  }
}

/** A class without properties, so that what is read of a followed value natively is seen. */
export class Base {}
setPrototypeOf(Base.prototype, missing);

/** An operation of a program: what came of it, from what, and where. */
export interface Operation {
  /** The value, as the program would have it; of values that are not known, one of the same type. */
  readonly value: unknown;
  /**
   * What was done: an operator as `+` or `unary -`, a function as `Math.log`, a method as `number.toFixed`, `property length`, `JSON`,
   * `stored in Float32Array`; or what a caller of {@linkcode traced} names its own values by.
   */
  readonly op: string;
  /** Operands: values that are followed, and plain ones. */
  readonly operands: readonly unknown[];
  /** `FILE:LINE`. */
  readonly at: string;
  /** The run in which it was done. */
  readonly run: object;
}

/** A primitive value of a program with how it came about. It has no properties of its own. */
export class Traced extends Base {
  readonly #operation: Operation;

  /** A followed value that came of this operation. */
  constructor(operation: Operation) {
    super();
    this.#operation = operation;
  }

  /** Returns true if a value is followed. */
  static is(value: unknown): value is Traced {
    return typeof value === "object" && value !== null && #operation in value;
  }

  /** The operation that a followed value came of. */
  static operation(value: Traced): Operation {
    return value.#operation;
  }
}

for (
  const [key, value] of [
    [Symbol.toPrimitive, function (this: Traced): unknown {
      return reads.plain(this, "a number or text made of it");
    }],
    ["valueOf", function (this: Traced): unknown {
      return reads.plain(this, "valueOf");
    }],
    ["toString", function (this: Traced): string {
      return String(reads.plain(this, "a text made of it"));
    }],
    ["toJSON", function (this: Traced): unknown {
      return isJsonOurs ? this : reads.plain(this, "JSON");
    }],
  ] as const
) defineProperty(Traced.prototype, key, { value, enumerable: false });

/** Whether something is a value that is followed. */
export const isTraced: (value: unknown) => value is Traced = Traced.is;

/** How a value came about. */
export const operationOf: (value: Traced) => Operation = Traced.operation;

/** Returns the value itself. */
export function valueOf(value: Traced): unknown {
  return operationOf(value).value;
}

/** Returns the value of what is followed, and anything else as it is. */
export function plainOf(value: unknown): unknown {
  return isTraced(value) ? operationOf(value).value : value;
}
