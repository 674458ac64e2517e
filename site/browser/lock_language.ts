/** What stands in for randomness and clocks while a function is run on all its paths. */
const REPLACED: ReadonlySet<PropertyKey> = new Set([
  ...["random", "getRandomValues", "randomUUID", "now"],
]);
/** Objects of which that replaces methods. */
const OPEN: ReadonlySet<object> = new Set<object>([Math, Date, crypto, performance]);
/** Names that objects of programs have of their own where they are assigned to, though these inherit them. */
const OVERRIDDEN = ["constructor", "toString", "toLocaleString", "valueOf", "name", "message"];

async function later(): Promise<void> {}

function* items(): Generator<never> {}

async function* laterItems(): AsyncGenerator<never> {}

/**
 * Makes all that the language and the browser give to code of this worker unchangeable, so that code of others which is run beside ours cannot
 * put anything in the place of what ours calls (hardened JavaScript: Miller, Finifter 2014; SES).
 */
export function lockLanguage(): void {
  const seen = new Set<object>([globalThis]), left: object[] = [];
  const add = (value: unknown): void => {
    const isObject = typeof value === "object" && value !== null || typeof value === "function";
    if (!isObject || seen.has(value as object)) return;
    seen.add(value as object);
    left.push(value as object);
  };
  // What no name leads to.
  for (
    const hidden of [
      ...[[][Symbol.iterator](), new Map().entries(), new Set().values(), ""[Symbol.iterator]()],
      ...["".matchAll(/./g), later, items, items(), laterItems, laterItems(), Uint8Array],
    ]
  ) add(Object.getPrototypeOf(hidden));
  add(Object.getPrototypeOf(globalThis));
  const names = Reflect.ownKeys(globalThis);
  for (const name of names) add(valueOf(globalThis, name));
  for (let object = left.pop(); object !== undefined; object = left.pop()) {
    add(Object.getPrototypeOf(object));
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(object, key)!;
      [value, get, set].forEach(add);
    }
  }
  for (const object of seen) if (object !== globalThis) lock(object);
  for (const name of names) fix(globalThis, name);
}

function valueOf(object: object, name: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function lock(object: object): void {
  // Elements of typed arrays cannot be locked: they are data of ours.
  if (ArrayBuffer.isView(object)) return;
  for (const key of Reflect.ownKeys(object)) {
    if (!OPEN.has(object) || !REPLACED.has(key)) fix(object, key);
  }
  if (!OPEN.has(object)) Object.preventExtensions(object);
}

/** Makes a property unchangeable, and one that is often overridden such that objects which inherit it can have one of their own. */
function fix(object: object, key: PropertyKey): void {
  const own = Object.getOwnPropertyDescriptor(object, key)!;
  if (!own.configurable) return;
  const { value } = own;
  if ("value" in own && OVERRIDDEN.includes(key as string) && typeof object !== "function") {
    Object.defineProperty(object, key, {
      get: () => value,
      set(this: object, mine: unknown): void {
        if (this === object) return;
        Object.defineProperty(this, key, {
          value: mine,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
      enumerable: own.enumerable ?? false,
      configurable: false,
    });
  } else {
    const fixed = "value" in own ? { writable: false } : {};
    Object.defineProperty(object, key, { ...fixed, configurable: false });
  }
}
