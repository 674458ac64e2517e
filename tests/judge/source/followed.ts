import {
  begin,
  handMethodsToPrograms,
  isTraced,
  type LoadedProgram,
  loadRewritten,
  type Run,
  traced,
  valueOf,
} from "../../../lib/judge/source/mod.ts";

/** A source of numbers that a seed fixes; the same numbers whether or not they are followed. */
export class FollowedSource {
  #state: number;
  #draws = 0;

  constructor(seed: number, readonly isFollowed: boolean) {
    this.#state = seed;
  }

  /** A number in (0, 1), that is not followed. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    t = (t + Math.imul(t ^ t >>> 7, 61 | t)) ^ t;
    return (((t ^ t >>> 14) >>> 0) + 0.5) / 2 ** 32;
  }

  #draw<Value>(value: Value, name: string): Value {
    const place = this.#draws++;
    return this.isFollowed ? traced(value, name, { operands: [place] }) as Value : value;
  }

  uniform(): number {
    return this.#draw(this.next(), "uniform");
  }

  laplace({ scale = 1 } = {}): number {
    const u = this.next() - 0.5;
    return this.#draw(-scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u)), "laplace");
  }

  gaussian(): number {
    return this.#draw(
      Math.sqrt(-2 * Math.log(this.next())) * Math.cos(2 * Math.PI * this.next()),
      "gaussian",
    );
  }

  bernoulli({ probability = 0.5 } = {}): boolean {
    return this.#draw(this.next() < probability, "bernoulli");
  }

  integer({ below }: { below: number }): number {
    return this.#draw(Math.floor(this.next() * below), "integer");
  }
}
handMethodsToPrograms(FollowedSource.prototype);

/** Plain values in place of those that are followed. */
export function plain(value: unknown): unknown {
  if (isTraced(value)) return valueOf(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return [...value].map(plain);
  if (value instanceof Set) return [...value].map(plain);
  if (value instanceof Error) return `${value.name}: ${plain(value.message)}`;
  if (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  ) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  }
  return value;
}

/** A program: what a module exports. */
// deno-lint-ignore no-explicit-any -- modules are written for these tests.
export type Program = (...args: any[]) => any;

/** Runs a program with numbers that a seed fixes. */
export async function once(
  program: Program,
  { rows, seed, isFollowed }: {
    readonly rows: readonly unknown[];
    readonly seed: number;
    readonly isFollowed: boolean;
  },
): Promise<{ readonly output: unknown; readonly run: Run }> {
  const run = begin();
  const data = rows.map((row, i) =>
    isFollowed && typeof row === "number"
      ? traced(row, "row", { operands: [i] })
      : structuredClone(row)
  );
  try {
    return { output: await program(data, new FollowedSource(seed, isFollowed)), run };
  } catch (error) {
    return { output: error, run };
  }
}

/** Does some work with a module in a folder of its own, as written and rewritten. */
export async function withModule<Result>(
  text: string,
  work: (loaded: LoadedProgram, written: Readonly<Record<string, Program>>) => Promise<Result>,
  { name = "program.mjs", files = {} }: {
    readonly name?: string;
    readonly files?: Readonly<Record<string, string>>;
  } = {},
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, content] of Object.entries({ ...files, [name]: text })) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, content);
    }
    // Deno resolves no packages of a node_modules that it did not make.
    const written = files["node_modules/half/main.js"]
      ? {}
      : await import(`file://${folder}/${name}`);
    const loaded = await loadRewritten(`${folder}/${name}`, { root: await Deno.realPath(folder) });
    return await work(loaded, written);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** An output as a text: the sign of zero, holes, what is missing and errors are seen, followed values are not. */
export function shownOutput(value: unknown, depth = 6): string {
  if (isTraced(value)) return shownOutput(valueOf(value), depth);
  if (typeof value === "function") return "function";
  if (typeof value !== "object" || value === null) {
    return Object.is(value, -0)
      ? "-0"
      : typeof value === "string"
      ? JSON.stringify(value)
      : String(value);
  }
  if (depth === 0) return "…";
  const inner = (each: unknown): string => shownOutput(each, depth - 1);
  if (value instanceof Error) return `${value.name}: ${shownOutput(value.message)}`;
  if (Array.isArray(value)) {
    return `[${Array.from(value, (each, i) => i in value ? inner(each) : "hole").join(", ")}]`;
  }
  if (value instanceof Map || value instanceof Set) {
    return `${value.constructor.name}${inner([...value])}`;
  }
  if (ArrayBuffer.isView(value)) {
    return `${value.constructor.name}${inner([...value as Float64Array])}`;
  }
  return `{${Object.entries(value).map(([key, each]) => `${key}: ${inner(each)}`).join(", ")}}`;
}
