import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import {
  type LawOf,
  requireEnds,
  requireMachines,
  requireMemory,
} from "../checks/declared_states.ts";
import { requireFollowedPaths } from "../checks/followed_paths.ts";
import { lawOf } from "../checks/path_cases.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** A source whose `merge` does something else. */
const merging =
  (merge: (source: DiscreteSource, state: unknown) => void): LawOf => (run, options) =>
    lawOf((source) => run({ ...source, merge: (state) => merge(source, state) }), options);

/** States that programs declare, and errors that they catch. */
export const declaredStates = theorem<LawOf>({
  id: "exact/declared_states",
  statement:
    "A program that declares its states has the law that follows from them step by step; a state that forgets what one path after it depends on is refused; " +
    "a run that was cut, or met a draw that cannot be enumerated, ends there, whatever the program does with the error.",
  citation: "dpcheck; laws by forward recursion in 400 binary places",
  source: "lib/exact/enumeration: enumerate_outputs, branching_source",
  kind: "sampled",
  checked:
    "40 generated machines of three states and two to four steps; 60 states with two to eight paths after them; five ways to go on after an error, of six kinds of draws; which of 40 paths to each of 40 states are followed",
  subject: lawOf,
  check: (of, { seed }) => {
    const source = new SeededSource(seed).split("declared states");
    return casesOf({
      "machines": () => requireMachines(of, source),
      "memory": () => requireMemory(of, source),
      "ends of runs": () => requireEnds(of),
      "paths that are followed": () => requireFollowedPaths(of),
    });
  },
  mutants: {
    "one state for all": merging((source) => source.merge("any")),
    "no states": merging(() => {}),
    "programs that cannot be enumerated are taken": (run, options) => {
      try {
        return lawOf(run, options);
      } catch {
        return lawOf(() => 0, options);
      }
    },
  },
});
