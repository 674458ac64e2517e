import { requireKnown } from "../../core/text/known_options.ts";
import { requireFields, requireKind } from "../../core/numeric/require.ts";
import type { Dataset } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Source } from "../../core/mechanism/source.ts";

/** Function applied to each output, and the name of the result. */
export interface MapOptions<Output, Mapped> {
  /** The name of the transformed mechanism. */
  readonly name: string;
  /** Sees the output and randomness, never the data: that is the whole condition. */
  transform(output: Output, source: Source): Mapped;
}

/**
 * Returns the mechanism whose outputs are `transform`ed (post-processing): it keeps the claim, whatever the
 * transformation is (Dwork, Roth 2014, Proposition 2.1). What the mechanism refuses before a budget is spent is refused
 * then too. Densities and exact distributions do not carry over and are dropped.
 *
 * @example
 * ```ts
 * import { pure } from "../../core/claims/claim.ts";
 * import { addRemoveOne } from "../../core/relations/relation.ts";
 * import type { Mechanism } from "../../core/mechanism/mechanism.ts";
 * import { mapMechanism } from "./map_mechanism.ts";
 * const noisyCount: Mechanism<number, number> = {
 *   name: "count with Laplace noise (in floating point: an example, not for release)",
 *   claim: pure({ epsilon: 1, relation: addRemoveOne }),
 *   sample: (data, source) => data.length + Math.log(source.uniform() / source.uniform()),
 * };
 * const rounded = mapMechanism(noisyCount, { name: "rounded count", transform: Math.round });
 * ```
 */
export function mapMechanism<Row, Output, Mapped>(
  mechanism: Mechanism<Row, Output>,
  options: MapOptions<Output, Mapped>,
): Mechanism<Row, Mapped> {
  requireKind("mapMechanism", "mechanism", mechanism, "record");
  const { name, transform } = requireFields("mapMechanism", options, { transform: "function" });
  requireKnown("call mapMechanism()", options, ["name", "transform"]);
  const { claim, alsoKeeps, domain } = mechanism;
  return {
    name,
    claim,
    ...(alsoKeeps && { alsoKeeps }),
    ...(domain && { domain }),
    ...(mechanism.check && { check: (data: Dataset<Row>) => mechanism.check!(data) }),
    sample: (data, source) => transform(mechanism.sample(data, source), source),
  };
}
