/** Observable state of an object: its kind, and its parts by name, in order. */
export interface Observed {
  /** `Object`, `Array`, `RangeError`, `Float64Array`, …, with what sets it apart from a plain one of its kind. */
  readonly form: string;
  /** True for JavaScript's built-in kinds, false for classes of the program. */
  readonly native: boolean;
  /** `mark` sets a part apart from an ordinary property of its name. */
  readonly parts: readonly (readonly [name: string, value: unknown, mark?: string])[];
  /** Why there may be more to it than `form` and `parts`: it has a getter, or a private field. */
  readonly hidden?: string;
}

/** The prototypes of JavaScript's own kinds. */
const KINDS = new Map<unknown, string>([
  [null, "Object without a prototype"],
  ...[
    ...[Object, Array, Map, Set, Date, RegExp, ArrayBuffer, DataView, Boolean, Number, String],
    ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
    ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
    ...[Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError],
    ...[URIError, DOMException],
  ].map((kind) => [kind.prototype as unknown, kind.name] as const),
]);

/** The mark of what is in an object, and is not a property of it. */
const WITHIN = "within";

/** A private name in the text of a class. */
const PRIVATE = /(^|[^\w$"'`#])#[\w$]/;

/**
 * Looks at an object as anybody can who gets it: its kind or class, all of its own properties, what is in a map, a set, a date or a
 * buffer, and name, message and cause of an error. The stack of an error is left out, for it tells files and lines.
 */
export function observe(value: object): Observed {
  const prototype: unknown = Object.getPrototypeOf(value);
  const kind = KINDS.get(prototype);
  const parts: [string, unknown, string?][] = [];
  let form = kind ?? classOf(value), hidden: string | undefined;
  if (kind === undefined) hidden = hiddenInClass(prototype);
  if (!Object.isExtensible(value)) form += ", not extensible";
  const isList = Array.isArray(value), isView = ArrayBuffer.isView(value);
  const isError = value instanceof Error, isException = value instanceof DOMException;
  if (isList) parts.push(["length", value.length, WITHIN]);
  if (isView) parts.push(...partsOfView(value));
  else if (value instanceof ArrayBuffer) parts.push(["bytes", [...new Uint8Array(value)], WITHIN]);
  else if (value instanceof Map) parts.push(["entries", [...value], WITHIN]);
  else if (value instanceof Set) parts.push(["values", [...value], WITHIN]);
  else if (value instanceof Date) parts.push(["time", value.getTime(), WITHIN]);
  else if (value instanceof RegExp) parts.push(["pattern", String(value), WITHIN]);
  else if (kind === "Boolean" || kind === "Number" || kind === "String") {
    parts.push(["value", value.valueOf(), WITHIN]);
  } else if (isError || isException) {
    for (const key of ["name", "message"] as const) {
      const own = Object.getOwnPropertyDescriptor(value, key);
      if (own !== undefined && !("value" in own)) hidden ??= getterOf(key);
      const marks = marksOf(own);
      // A message that is given is a hidden property of the error, and a name that is set is none of its class.
      const isUsual = own === undefined ||
        own.value !== Reflect.get(prototype as object, key, value) &&
          marks === (key === "message" ? "hidden" : "");
      parts.push([key, value[key], isUsual ? WITHIN : `its own ${marks}`.trim()]);
    }
    if (isError && !isException) parts.push(...partsOfStack(value));
  }
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === "symbol") {
      // Some platforms keep name and message of these under symbols.
      if (!isException) hidden ??= "it has a property that is named by a symbol";
      continue;
    }
    if (isList && key === "length") continue;
    if (isView && /^\d+$/.test(key)) continue;
    if ((isError || isException) && (key === "stack" || key === "name" || key === "message")) {
      continue;
    }
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined) continue;
    if (property.get !== undefined || property.set !== undefined) {
      hidden ??= getterOf(key);
      continue;
    }
    const isUsual = isError && key === "cause" && !property.enumerable;
    const mark = marksOf({ ...property, ...(isUsual && { enumerable: true }) });
    parts.push(mark === "" ? [key, property.value] : [key, property.value, mark]);
  }
  return { form, native: kind !== undefined, parts, ...(hidden === undefined ? {} : { hidden }) };
}

const getterOf = (key: string): string => `its property ${key} is a getter or a setter`;

/** Returns what sets a property apart from one that was assigned. */
function marksOf(property: PropertyDescriptor | undefined): string {
  if (property === undefined) return "";
  const { enumerable, writable, configurable } = property;
  return [!enumerable && "hidden", !writable && "constant", !configurable && "fixed"]
    .filter(Boolean).join();
}

/** Returns true if an object is a list without holes or a plain record, fully described by its items. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isList = prototype === Array.prototype && Array.isArray(value);
  if (!isList && prototype !== Object.prototype && prototype !== null) return false;
  if (!Object.isExtensible(value)) return false;
  const keys = Reflect.ownKeys(value);
  if (isList && keys.length !== value.length + 1) return false;
  for (let i = 0; i < (isList ? keys.length - 1 : keys.length); i++) {
    const key = keys[i]!;
    if (typeof key === "symbol" || (isList && key !== String(i))) return false;
    const property = Object.getOwnPropertyDescriptor(value, key)!;
    if (!property.writable || !property.enumerable || !property.configurable) return false;
  }
  return true;
}

/** A plain list or record with other items. */
export function mapPlain(
  value: object,
  change: (item: unknown, key: string) => unknown,
): object {
  if (Array.isArray(value)) return value.map((item, i) => change(item, String(i)));
  const copy: object = Object.create(Object.getPrototypeOf(value));
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: change(item, key),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

/** The names of its classes, up to the first that is JavaScript's own. */
function classOf(value: object): string {
  const names: string[] = [];
  for (
    let prototype: unknown = Object.getPrototypeOf(value);
    typeof prototype === "object";
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const kind = KINDS.get(prototype);
    if (kind !== undefined || prototype === null) {
      if (kind !== "Object") names.push(kind ?? "null");
      break;
    }
    const constructor = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
    names.push(typeof constructor === "function" ? constructor.name || "class" : "object");
  }
  return names.join(" of ");
}

/** Why instances of a class may hold, or tell, more than their own properties: private fields, or members of the class. */
function hiddenInClass(prototype: unknown): string | undefined {
  for (
    let each = prototype;
    typeof each === "object" && each !== null && !KINDS.has(each);
    each = Object.getPrototypeOf(each)
  ) {
    const constructor: unknown = Object.getOwnPropertyDescriptor(each, "constructor")?.value;
    const members = Reflect.ownKeys(each).filter((key) => !SEEN_OF_CLASS.has(key));
    if (typeof constructor === "function") {
      if (PRIVATE.test(Function.prototype.toString.call(constructor))) {
        return "it has private fields";
      }
      members.push(...Reflect.ownKeys(constructor).filter((key) => !OF_FUNCTIONS.has(key)));
    }
    if (members.length > 0) return `its class has a member ${String(members[0])}`;
  }
  return undefined;
}

/** Members that many classes of errors have: name and message are read of each instance. */
const SEEN_OF_CLASS = new Set<string | symbol>([
  ...["constructor", "name", "message", "toString"],
  Symbol.for("nodejs.util.inspect.custom"),
]);
/** Properties that every function has. */
const OF_FUNCTIONS = new Set<string | symbol>([
  ...["length", "name", "prototype", "arguments", "caller"],
]);

/** The stack of an error where it does not look like that of JavaScript: a program has put something in its place. */
function partsOfStack(error: Error): [string, unknown, string][] {
  const stack = stackOf(error);
  const isUsual = typeof stack === "string" && (/\n\s+at /.test(stack) || stack === String(error));
  return isUsual ? [] : [["stack", stack, WITHIN]];
}

/** A stack as JavaScript has it, without the lines. */
const WITHOUT_LINES = "Error\n    at lines that were not looked up";

/**
 * Returns the stack of an error. V8 looks up its lines when it is first read, which takes longer than all else in the audit of a program
 * that fails often: they are left out, unless somebody has read it before or writes stacks in a way of their own.
 */
function stackOf(error: Error): unknown {
  const errors = Error as { prepareStackTrace?: unknown };
  const isOwn = errors.prepareStackTrace !== undefined;
  if (isOwn || !Reflect.set(errors, "prepareStackTrace", () => WITHOUT_LINES)) return error.stack;
  try {
    return error.stack;
  } finally {
    delete errors.prepareStackTrace;
  }
}

/** Elements of a typed array, and the bytes behind it where they are more than these, or tell what elements do not. */
function partsOfView(view: ArrayBufferView): [string, unknown, string][] {
  const { buffer, byteOffset, byteLength } = view;
  const parts: [string, unknown, string][] = [];
  let isTold = false;
  if (!(view instanceof DataView)) {
    const elements = Array.from(view as unknown as ArrayLike<unknown>);
    parts.push(["elements", elements, WITHIN]);
    // NaN comes in many forms, which only the bytes tell.
    isTold = !elements.some(Number.isNaN);
  }
  if (!isTold || byteLength < buffer.byteLength) {
    parts.push(["bytes", [...new Uint8Array(buffer)], WITHIN], ["from", byteOffset, WITHIN]);
  }
  if (!(buffer instanceof ArrayBuffer)) parts.push(["shared", true, WITHIN]);
  return parts;
}
