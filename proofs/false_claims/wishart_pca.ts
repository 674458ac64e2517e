import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { falseClaim } from "../engine/theorem.ts";

/** A symmetric 2×2 matrix: top left, corner, bottom right. */
type Symmetric = readonly [number, number, number];

/** A mechanism's noise on a covariance: drawn, and its log-density (scale 1) where it is not 0. */
interface MatrixNoise {
  draw(source: SeededSource): Symmetric;
  logDensity(noise: Symmetric): number;
  /** The loss allowed for a change of one row of norm 1 in n = 1. */
  readonly claim: number;
}

function determinant([a, b, c]: Symmetric): number {
  return a * c - b * b;
}

/** Wishart noise of 3 degrees of freedom: the density is √det-free, e^(−tr/2) on positive matrices. */
const wishart: MatrixNoise = {
  claim: 100,
  draw(source): Symmetric {
    const g = floatNormal(source, new Float64Array(6), { scale: 1 });
    const dot = (i: number, j: number): number =>
      g[i]! * g[j]! + g[i + 2]! * g[j + 2]! + g[i + 4]! * g[j + 4]!;
    return [dot(0, 0), dot(0, 1), dot(1, 1)];
  },
  logDensity: (noise) =>
    noise[0] >= 0 && determinant(noise) >= 0 ? -(noise[0] + noise[2]) / 2 : -Infinity,
};

/** Laplace noise of a scale on each of the three entries. */
function laplaceEntries(scale: number): MatrixNoise {
  return {
    claim: 2,
    draw(source): Symmetric {
      const one = (): number => {
        const u = source.uniform() - 0.5;
        return -scale * Math.sign(u) * Math.log1p(-2 * Math.abs(u));
      };
      return [one(), one(), one()];
    },
    logDensity: ([a, b, c]) => -(Math.abs(a) + Math.abs(b) + Math.abs(c)) / scale,
  };
}

/** Private principal components by adding a Wishart matrix. */
export const wishartPca = falseClaim<MatrixNoise>({
  id: "false_claims/wishart_pca",
  statement:
    "Adding Wishart noise to a covariance matrix is differentially private for some finite ε.",
  citation: "Jiang, Xie, Zhang 2016; Imtiaz, Sarwate 2016; withdrawn by Sarwate",
  source: "A + W is never below A, so the support depends on the data",
  assumptions: ["one row (1, 0) replaced by (0, 1); any claim up to ε = 100 is refuted"],
  kind: "sampled",
  subject: wishart,
  check: (noise, { seed }) => {
    const source = new SeededSource(seed).split("covariances");
    const left: Symmetric = [1, 0, 0], right: Symmetric = [0, 0, 1];
    let worst = 0;
    for (let k = 0; k < 2000; k++) {
      const w = noise.draw(source);
      // The output left + w as noise on the right: left + w − right.
      const other: Symmetric = [w[0] + left[0] - right[0], w[1], w[2] + left[2] - right[2]];
      worst = Math.max(worst, noise.logDensity(w) - noise.logDensity(other));
    }
    return {
      holds: worst <= noise.claim * (1 + 1e-9),
      margin: worst / noise.claim,
      detail: "2000 outputs, their densities under both datasets",
      ...(worst === Infinity
        ? { witness: "λ_min(output − A′) < 0 happens under A, and never under A′" }
        : {}),
    };
  },
  corrected: {
    name: "Laplace noise on the entries: L1 change 2, scale 1, ε = 2",
    subject: laplaceEntries(1),
  },
  mutants: { "Laplace noise at 0.87": laplaceEntries(0.87) },
});
