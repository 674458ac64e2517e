import type { Claim } from "../../lib/core/claims/claim.ts";
import type { Dataset, Domain } from "../../lib/core/relations/dataset.ts";
import { loadExport } from "../../lib/judge/audit/subjects/thread/load_export.ts";
import { checkExactly } from "../../lib/judge/exact/enumeration/check_exactly.ts";
import { drawingFrom } from "../../lib/judge/exact/enumeration/drawing_from.ts";
import { datasetsOfDomain } from "../../lib/judge/exact/enumeration/finite_domain.ts";

/** Runs of the program on the pair of the report, at most: it is to show whether all its paths can be run, and soon. */
const MOST_BRANCHES = 4096;

/**
 * The number of datasets on which `exact` would decide the claim of a module: the module draws by methods whose paths can be run, and its
 * datasets are few. `undefined` where it would not, as far as a few runs on the pair of the report show.
 */
export async function exactDecides(
  module: string,
  { claim, pair, domain }: {
    readonly claim: Claim;
    readonly pair: { readonly left: unknown; readonly right: unknown };
    /** The domain in which pairs are searched; `undefined` for a given pair. */
    readonly domain: Domain | undefined;
  },
): Promise<number | undefined> {
  if (claim.kind !== "pure" && claim.kind !== "approximate") return undefined;
  try {
    const datasets = domain === undefined ? 2 : datasetsOfDomain(domain).length;
    const exported = await loadExport(module);
    const run = drawingFrom(
      exported.kind === "function"
        ? (data, source) => exported.run(data, source)
        : (data, source) => exported.mechanism.sample(data, source),
    );
    const { report } = checkExactly({ name: module, run }, {
      claim,
      datasets: [pair.left as Dataset, pair.right as Dataset],
      neighbours: [[0, 1]],
      maxBranches: MOST_BRANCHES,
    });
    return report.verdict === "undecided" ? undefined : datasets;
  } catch {
    // Real numbers as rows, floats as draws, state, or too many paths: there is nothing to say.
    return undefined;
  }
}
