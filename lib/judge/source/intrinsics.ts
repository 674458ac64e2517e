/**
 * Functions of JavaScript, taken before a program is loaded: what a program does to them afterwards changes nothing here.
 *
 * @module
 */

/** A function of any kind. */
// deno-lint-ignore no-explicit-any -- functions of programs and of JavaScript are called with whatever they are called with.
export type AnyFunction = (...args: any[]) => any;

const { bind, call } = Function.prototype;
/** A method as a function of the object and the arguments. */
const free = <Result>(method: AnyFunction): (self: unknown, ...args: unknown[]) => Result =>
  bind.call(call, method) as (self: unknown, ...args: unknown[]) => Result;

export const reflectApply = Reflect.apply;
export const reflectConstruct = Reflect.construct as (
  target: AnyFunction,
  args: unknown[],
  newTarget?: AnyFunction,
) => unknown;
export const { is: sameValue } = Object;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const functionText: (f: unknown) => string = free(Function.prototype.toString);
export const includesText: (text: unknown, part: string) => boolean = free(
  String.prototype.includes,
) as (text: unknown, part: string) => boolean;
export const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** A set of objects that are held weakly, which programs cannot change. */
export class ObjectSet {
  readonly #set = new WeakSet<object>();
  static readonly #has = free<boolean>(WeakSet.prototype.has);
  static readonly #add = free<unknown>(WeakSet.prototype.add);

  has(value: unknown): boolean {
    return ObjectSet.#has(this.#set, value);
  }

  add(value: object): void {
    ObjectSet.#add(this.#set, value);
  }
}

/** What is known of objects that are held weakly, which programs cannot change. */
export class ObjectMap<Value> {
  readonly #map = new WeakMap<object, Value>();
  static readonly #get = free<unknown>(WeakMap.prototype.get);
  static readonly #set = free<unknown>(WeakMap.prototype.set);

  get(value: unknown): Value | undefined {
    return ObjectMap.#get(this.#map, value) as Value | undefined;
  }

  set(key: object, value: Value): void {
    ObjectMap.#set(this.#map, key, value);
  }
}

/** A map that programs cannot change. */
export class TextMap<Value> {
  readonly #map = new Map<string, Value>();
  static readonly #get = free<unknown>(Map.prototype.get);
  static readonly #set = free<unknown>(Map.prototype.set);
  static readonly #values = free<unknown>(Map.prototype.forEach);

  get(key: string): Value | undefined {
    return TextMap.#get(this.#map, key) as Value | undefined;
  }

  set(key: string, value: Value): void {
    TextMap.#set(this.#map, key, value);
  }

  /** All values, in the order in which they came. */
  values(): Value[] {
    const all: Value[] = [];
    TextMap.#values(this.#map, (value: Value) => all[all.length] = value);
    return all;
  }
}
