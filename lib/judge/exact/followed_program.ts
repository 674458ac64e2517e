import type { ProgramSource } from "../../core/mechanism/continuous_draws.ts";
import { programSource } from "../../core/random/program_source.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import {
  begin,
  current,
  currentRun,
  handToPrograms,
  lateCode,
  noteText,
  type Run,
  trusting,
} from "../source/mod.ts";
import { isPromise } from "./asynchronous.ts";
import { NotEnumerable } from "./enumeration/branching_source.ts";
import { type UniformBranches, uniformsOf } from "./enumeration/uniform_branches.ts";
import { drawingOwn } from "./own_randomness.ts";

/** The last run that was begun here. */
let ours: Run | undefined;

/** A program of data and a source. */
type Program = (data: unknown, source: ProgramSource) => unknown;

/**
 * Returns a program of a rewritten module, as the provers call it: what it does that is not followed ends the proof.
 *
 * @param isOurs whether it is a function of this package, which may ask what its source is.
 *
 * @throws {NotEnumerable} from a call that did something which is not followed, outside of a run that somebody began.
 */
export function followedProgram(program: Program, { isOurs = false } = {}): Program {
  return (data, source) => {
    const before = currentRun(), uniforms = uniformsOf(source);
    // A loop without an end is ended by the clock: an error in its place would be an output.
    const own = before === ours || before.follower.decide === undefined
      ? ours = begin({ ...uniforms?.follower, maxSteps: Infinity, keepsLanguage: true })
      : undefined;
    let output: unknown;
    try {
      if (own === undefined || uniforms === undefined) {
        return output = trusting(isOurs, () => program(data, handed(source)));
      }
      uniforms.begin();
      return output = drawingOwn(
        () => uniforms.ownUniform(),
        () => uniforms.resolved(trusting(isOurs, () => program(data, handed(source, uniforms)))),
      );
    } finally {
      const [unseen] = own?.notes ?? [];
      isPromise(output);
      // In place of what the program returned or threw: it cannot be relied on.
      // deno-lint-ignore no-unsafe-finally -- the reason stands whatever came of the call.
      if (unseen !== undefined) throw new NotEnumerable(noteText(unseen));
    }
  };
}

/**
 * Waits until what programs have put off is done.
 *
 * @throws {NotEnumerable} where code of a rewritten program went on after its run had ended.
 */
export async function requireNothingLate(): Promise<void> {
  await new Promise((done) => setTimeout(done, 0));
  const at = lateCode();
  if (at !== undefined) {
    throw new NotEnumerable(noteText({ kind: "later", what: "code of the program", at }));
  }
}

const sources = new WeakMap<object, ProgramSource>();

/** What programs may ask of their source: its draws, and what it computes with them. */
const METHODS: ReadonlySet<PropertyKey> = new Set(
  Object.entries(programSource(new SeededSource(0)))
    .flatMap(([name, each]) => typeof each === "function" ? [name] : [])
    .concat(Symbol.toPrimitive as unknown as string),
);
/** What they may ask of a method. */
const OF_METHODS: ReadonlySet<PropertyKey> = new Set(["call", "apply", "bind"]);

/** Says that a program changes its source, which other calls may get too. */
function kept(name: PropertyKey): boolean {
  currentRun().note("state", `property ${String(name)} of the source`);
  return false;
}

/** Says that a program asks what its source is: that tells who runs it. Our own functions may. */
function asked(what: string): void {
  if (!current.trusts) currentRun().note("environment", what);
}

/** Returns an object of which programs may ask these names alone. */
function closed<Closed extends object>(
  target: Closed,
  { names, get = Reflect.get }: {
    readonly names: ReadonlySet<PropertyKey>;
    readonly get?: (target: Closed, name: PropertyKey) => unknown;
  },
): Closed {
  const asking =
    <Args extends readonly unknown[], Answer>(trap: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      asked("what its source is");
      return trap(...args);
    };
  return new Proxy(target, {
    get(_, name): unknown {
      if (!names.has(name)) asked(`${String(name)} of its source`);
      return get(target, name);
    },
    has: asking(Reflect.has),
    ownKeys: asking(Reflect.ownKeys),
    getPrototypeOf: asking(Reflect.getPrototypeOf),
    getOwnPropertyDescriptor: asking(Reflect.getOwnPropertyDescriptor),
    isExtensible: asking(Reflect.isExtensible),
    set: (_, name) => kept(name),
    defineProperty: (_, name) => kept(name),
    deleteProperty: (_, name) => kept(name),
    setPrototypeOf: () => kept("prototype"),
    preventExtensions: () => kept("extensions"),
  });
}

/** Returns a source whose methods rewritten programs call as they are. */
function handed(source: ProgramSource, uniforms?: UniformBranches): ProgramSource {
  const known = sources.get(source);
  if (known !== undefined) return known;
  const methods = new Map<PropertyKey, unknown>();
  const get = (target: ProgramSource, name: PropertyKey): unknown => {
    const value: unknown = Reflect.get(target, name, target);
    if (typeof value !== "function") return value;
    let method = methods.get(name);
    if (method === undefined) {
      const call = (...args: unknown[]): unknown => {
        if (name === "uniform" && uniforms !== undefined) return uniforms.uniform();
        const answer: unknown = (value as (...args: unknown[]) => unknown).apply(target, args);
        return name === "split" ? handed(answer as ProgramSource, uniforms) : answer;
      };
      // A bound one shows both.
      Object.defineProperties(call, { name: { value: name }, length: { value: value.length } });
      method = closed(call, { names: OF_METHODS });
      handToPrograms(method as typeof call, call);
      methods.set(name, method);
    }
    return method;
  };
  const made = closed(source, { names: METHODS, get });
  sources.set(source, made);
  return made;
}
