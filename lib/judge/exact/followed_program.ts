import type { ProgramSource } from "../../core/mechanism/continuous_draws.ts";
import { begin, currentRun, handToPrograms, noteText } from "../source/mod.ts";
import { NotEnumerable } from "./enumeration/branching_source.ts";

/** A program of data and a source. */
type Program = (data: unknown, source: ProgramSource) => unknown;

/**
 * Returns a program of a rewritten module, as the provers call it: what it does that is not followed ends the proof.
 *
 * @throws {NotEnumerable} from a call that did something which is not followed, outside of a run that somebody began.
 */
export function followedProgram(program: Program): Program {
  return (data, source) => {
    // A loop without an end is ended by the clock: an error in its place would be an output.
    const own = currentRun().follower.decide === undefined
      ? begin({ maxSteps: Infinity })
      : undefined;
    try {
      return program(data, handed(source));
    } finally {
      const [unseen] = own?.notes ?? [];
      // In place of what the program returned or threw: it cannot be relied on.
      // deno-lint-ignore no-unsafe-finally -- the reason stands whatever came of the call.
      if (unseen !== undefined) throw new NotEnumerable(noteText(unseen));
    }
  };
}

const sources = new WeakMap<object, ProgramSource>();

/** Returns a source whose methods rewritten programs call as they are. */
function handed(source: ProgramSource): ProgramSource {
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
          const answer: unknown = (value as (...args: unknown[]) => unknown).apply(target, args);
          return name === "split" ? handed(answer as ProgramSource) : answer;
        };
        handToPrograms(call);
        methods.set(name, method = call);
      }
      return method;
    },
  });
  sources.set(source, made);
  return made;
}
