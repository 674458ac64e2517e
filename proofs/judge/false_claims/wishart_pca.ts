import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** A symmetric 2×2 matrix: top left, corner, bottom right. */
type Symmetric = readonly [number, number, number];

/** A mechanism's noise on a covariance: drawn, and its log-density (scale 1) where it is not 0. */
interface MatrixNoise {
  draw(source: SeededSource): Symmetric;
  logDensity(noise: Symmetric): number;
  /** The loss allowed when one row of norm at most 1 is replaced, in n = 1. */
  readonly claim: number;
}

function determinant([a, b, c]: Symmetric): number {
  return a * c - b * b;
}

/** Wishart noise of 3 degrees of freedom: the density is proportional to e^(−tr/2) on positive matrices, and the determinant does not enter it. */
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

/**
 * How far one row x of norm at most 1 moves the entries x₁², x₁x₂ and x₂² in L1 when it is replaced. For x at the angle θ they are (1 + cos 2θ)/2,
 * sin(2θ)/2 and (1 − cos 2θ)/2, so that two rows are |Δcos| + |Δsin|/2 apart: at most √(1 + 1/4) times the length of (Δcos, Δsin), which is 2.
 */
export const SENSITIVITY: number = Math.sqrt(5);

/** Where one of the rows is, its opposite in 2θ being across: all of a quarter of a circle, and where the change is √5. */
const ANGLES = [...Array.from({ length: 33 }, (_, k) => k * Math.PI / 64), Math.atan(1 / 2) / 2];

/** Outputs that are drawn for each pair of rows. */
const DRAWS = 200;

/** xxᵀ of the row of norm 1 at this angle. */
function momentsAt(angle: number): Symmetric {
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  return [x * x, x * y, y * y];
}

/** Laplace noise of a scale on each of the three entries. */
function laplaceEntries(scale: number): MatrixNoise {
  return {
    claim: SENSITIVITY,
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
  source: "both papers: W is positive, so that A + W is never below A",
  remember: () =>
    `Noise that goes both ways costs √5 = ${
      short(SENSITIVITY)
    } at scale 1; noise that only adds has no ε.`,
  assumptions: [
    `one row of norm 1 at ${ANGLES.length} angles replaced by one across; any claim up to ε = ${wishart.claim} is refuted`,
  ],
  kind: "sampled",
  subject: wishart,
  check: (noise, { seed }) => {
    const source = new SeededSource(seed).split("covariances");
    let worst = 0;
    for (const angle of ANGLES) {
      const [left, right] = [momentsAt(angle), momentsAt(angle + Math.PI / 2)];
      for (let k = 0; k < DRAWS; k++) {
        const w = noise.draw(source);
        // The output left + w as noise on the right: left + w − right.
        const other: Symmetric = [
          w[0] + left[0] - right[0],
          w[1] + left[1] - right[1],
          w[2] + left[2] - right[2],
        ];
        worst = Math.max(worst, noise.logDensity(w) - noise.logDensity(other));
      }
    }
    return {
      holds: worst <= noise.claim * (1 + 1e-9),
      margin: worst / noise.claim,
      detail: `${ANGLES.length} pairs of rows, ${DRAWS} outputs each, their densities under both`,
      ...(worst === Infinity
        ? { witness: "λ_min(output − A′) < 0 happens under A, and never under A′" }
        : {}),
    };
  },
  corrected: {
    name: "Laplace noise on the entries: L1 change √5 at most, scale 1, ε = √5",
    subject: laplaceEntries(1),
  },
  mutants: {
    "Laplace noise at 0.87": laplaceEntries(0.87),
    "ε = 2, the change from (1, 0) to (0, 1)": { ...laplaceEntries(1), claim: 2 },
  },
});
