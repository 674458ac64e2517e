import { approximate, type Claim, gaussian, pure, pureOrApproximate, zcdp } from "./claim.ts";

/**
 * The claim about neighbours of a claim that is stated for a unit of distance: at distance d a metric claim of ε keeps ε·d, of μ it keeps μ·d and
 * of ρ it keeps ρ·d² (Chatzikokolakis, Andrés, Bordenabe, Palamidessi 2013 for ε); δ stays. Under a relation without distances it is the claim itself.
 *
 * @throws {RangeError} for a Rényi claim under a metric, of which no such law is used.
 */
export function atReach(claim: Claim): Claim {
  const { reach } = claim.relation;
  if (reach === undefined || reach === 1) return claim;
  const { relation } = claim;
  switch (claim.kind) {
    case "pure":
      return pure({ epsilon: claim.epsilon * reach, relation });
    case "approximate":
      return approximate({ epsilon: claim.epsilon * reach, delta: claim.delta, relation });
    case "gaussian":
      return gaussian({ mu: claim.mu * reach, relation });
    case "zcdp":
      return zcdp({ rho: claim.rho * reach ** 2, relation });
    case "renyi":
      throw new RangeError(
        `Cannot claim privacy: a claim under ${relation.name} must be of ε, (ε, δ), ρ or μ: current value is a Rényi claim`,
      );
  }
}

/** The claim about neighbours of an ε, and a δ if there is one, that are stated for a unit of distance. */
export function statedClaim(stated: Parameters<typeof pureOrApproximate>[0]): Claim {
  return atReach(pureOrApproximate(stated));
}
