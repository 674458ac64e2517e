import { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import { requireRuns } from "../checks/runs_beside_traces.ts";
import { casesInTurn } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

type Prove = typeof proveAlignment;

/** Programs that are run with numbers beside their traces. */
export const runsBesideTraces = theorem<Prove>({
  id: "exact/runs_beside_traces",
  statement:
    "A program that puts out something else with numbers than where it is traced is refused: at either end of a range, at 0, at whole numbers or between them, on " +
    "either side of a comparison, in values, names, lists and orders of draws; where doubles are equal, or nearly, it is not.",
  citation: "dpcheck; programs by hand, whose other outputs are known",
  source: "lib/exact/alignment: compare_runs",
  kind: "sampled",
  checked:
    "nine kinds of data for one, two and five answers; 12 ways of comparisons of values about −1000, 0 and 1000; 13 other programs; four comparisons of equal data of two sizes",
  subject: proveAlignment,
  check: (prove) => casesInTurn({ "programs": () => requireRuns(prove) }),
  mutants: {
    "runs that are not compared": async (program, options) => {
      try {
        return await proveAlignment(program, options);
      } catch {
        return await proveAlignment({ ...program, run: () => "the same" }, options);
      }
    },
    "all are refused": (program, options) =>
      proveAlignment({
        ...program,
        run: (data, source) =>
          typeof (data as unknown[])[0] === "number" ? "other" : program.run(data, source),
      }, options),
  },
});
