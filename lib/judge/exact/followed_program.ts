import type { ProgramSource } from "../../core/mechanism/continuous_draws.ts";
import { begin, currentRun, handToPrograms, lateCode, noteText, type Run } from "../source/mod.ts";
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
 * @throws {NotEnumerable} from a call that did something which is not followed, outside of a run that somebody began.
 */
export function followedProgram(program: Program): Program {
  return (data, source) => {
    const before = currentRun(), uniforms = uniformsOf(source);
    // A loop without an end is ended by the clock: an error in its place would be an output.
    const own = before === ours || before.follower.decide === undefined
      ? ours = begin({ ...uniforms?.follower, maxSteps: Infinity, keepsLanguage: true })
      : undefined;
    let output: unknown;
    try {
      if (own === undefined || uniforms === undefined) {
        return output = program(data, handed(source));
      }
      uniforms.begin();
      return output = drawingOwn(
        () => uniforms.ownUniform(),
        () => uniforms.resolved(program(data, handed(source, uniforms))),
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

/** Says that a program changes its source, which other calls may get too. */
function kept(name: PropertyKey): boolean {
  currentRun().note("state", `property ${String(name)} of the source`);
  return false;
}

/** Returns a source whose methods rewritten programs call as they are. */
function handed(source: ProgramSource, uniforms?: UniformBranches): ProgramSource {
  const known = sources.get(source);
  if (known !== undefined) return known;
  const methods = new Map<PropertyKey, unknown>();
  const made = new Proxy(source, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      let method = methods.get(name);
      if (method === undefined) {
        const call = (...args: unknown[]): unknown => {
          if (name === "uniform" && uniforms !== undefined) return uniforms.uniform();
          const answer: unknown = (value as (...args: unknown[]) => unknown).apply(target, args);
          return name === "split" ? handed(answer as ProgramSource, uniforms) : answer;
        };
        handToPrograms(call);
        methods.set(name, method = call);
      }
      return method;
    },
    set: (_, name) => kept(name),
    defineProperty: (_, name) => kept(name),
    deleteProperty: (_, name) => kept(name),
    setPrototypeOf: () => kept("prototype"),
  });
  sources.set(source, made);
  return made;
}
