import { type Claim, gaussian, renyi, zcdp } from "../../lib/core/claims/claim.ts";
import { atReach, statedClaim } from "../../lib/core/claims/at_reach.ts";
import type { Relation } from "../../lib/core/relations/relation.ts";
import { LARGEST_PARAMETER } from "../../lib/judge/audit/validate_options.ts";
import type { AuditArguments } from "./command_options.ts";
import { BadInput } from "./bad_input.ts";

/**
 * The claim that the options make, if they make one. Under a metric they state it for a unit of distance.
 *
 * @throws {BadInput} when they make two, or half of one.
 */
export function claimOf(
  { epsilon, delta, order, rho, mu }: Pick<
    AuditArguments,
    "epsilon" | "delta" | "order" | "rho" | "mu"
  >,
  relation: Relation,
): Claim | undefined {
  const given = Object.entries({ "--epsilon": epsilon, "--rho": rho, "--mu": mu })
    .filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const [[first, a], [second, b]] = given as [[string, number], [string, number]];
    throw new BadInput(`${first} ${a} and ${second} ${b} cannot be given together: one claim`);
  }
  for (const [option, value] of given as [string, number][]) {
    // A mechanism is made for the claim before it is audited.
    if (value > LARGEST_PARAMETER) {
      throw new BadInput(`${option} ${value} must be at most ${LARGEST_PARAMETER}`);
    }
  }
  if (epsilon === undefined) {
    if (delta !== undefined) throw new BadInput(`--delta ${delta} must come with --epsilon`);
    if (order !== undefined) throw new BadInput(`--order ${order} must come with --epsilon`);
  }
  if (delta !== undefined && order !== undefined) {
    throw new BadInput(`--delta ${delta} and --order ${order} cannot be given together: one claim`);
  }
  if (rho !== undefined) return atReach(zcdp({ rho, relation }));
  if (mu !== undefined) return atReach(gaussian({ mu, relation }));
  if (epsilon === undefined) return undefined;
  if (order !== undefined) {
    if (relation.reach !== undefined) {
      throw new BadInput(`--order ${order} cannot be given with --relation ${relation.name}`);
    }
    return renyi({ order, epsilon, relation });
  }
  // (ε, 0)-DP is ε-DP, and has the sharper test.
  return statedClaim({ epsilon, delta, relation });
}
