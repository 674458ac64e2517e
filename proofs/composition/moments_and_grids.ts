import { adaptiveDelta } from "../../lib/accounting/adaptive_bounds.ts";
import { logMoment } from "../../lib/accounting/loss_moment.ts";
import { optimisticGrid, pessimisticGrid } from "../../lib/accounting/loss_grid.ts";
import { tiltedGrid } from "../../lib/accounting/tilted_grid.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { type Moments, moments } from "../checks/moment_parts.ts";
import { requireGrids } from "../checks/grid_cases.ts";
import { requireMoments, requireWork } from "../checks/moment_cases.ts";
import { requireSearches } from "../checks/search_ends.ts";
import { casesOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** What bounds on compositions are made of, and what they take. */
export const momentsAndGrids = theorem<Moments>({
  id: "composition/moments_and_grids",
  statement:
    "Moments of losses are sums of exponentials, also where these leave the doubles; grids of losses lie above and below their law by the square of their spacing; " +
    "tilted and composed they are what sums over all outputs say; searches for ε, δ, levels and spacings end where they must, and bounds that are near each other take bounded work.",
  citation:
    "Daniels 1954 on saddle points; Canonne, Kamath, Steinke 2020, Proposition 12; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022 on grids",
  source: "lib/accounting: what privacy_loss_distribution is built of",
  kind: "sampled",
  checked:
    "twelve finite laws tilted three times and composed three times over all outputs; both grids of four laws at two spacings; saddle points of a normal loss; searches for 20 ε; work and gaps of seven compositions whose δ is known",
  subject: moments,
  check: (of, { seed }) =>
    casesOf({
      "moments": () => requireMoments(of),
      "grids": () => requireGrids(of, new SeededSource(seed).split("grids")),
      "searches": requireSearches,
      "work": () => requireWork(of),
    }),
  mutants: {
    "the largest loss forgotten": {
      ...moments,
      logMoment: ({ losses, masses }, tilt) =>
        logMoment({ losses: losses.slice(1), masses: masses.slice(1) }, tilt),
    },
    "a mean of points, not of losses": {
      ...moments,
      tiltedGrid: (part, options) => {
        const found = tiltedGrid(part, options);
        return { ...found, mean: found.mean - part.grid.first };
      },
    },
    "both grids above": { ...moments, optimisticGrid: pessimisticGrid },
    "both grids below": { ...moments, pessimisticGrid: optimisticGrid },
    "bounds that take twice the work": {
      ...moments,
      adaptiveDelta: (directions, options) => {
        const found = adaptiveDelta(directions, options);
        return { ...found, work: 2 * found.work };
      },
    },
  },
});
