import type { Claim } from "../../../core/claims/claim.ts";
import { parameterOf } from "../../../core/claims/claim_curve.ts";
import { numberDown } from "../../../core/numeric/amount.ts";
import { gaussianDelta } from "../../../core/numeric/gaussian_delta.ts";
import {
  add,
  divide,
  multiply,
  negated,
  type Rational,
  rational,
} from "../../../core/numeric/rational.ts";
import { type Affine, coefficient, isNoise, part, plus } from "../alignment/affine.ts";
import { amountDown } from "../alignment/noise_divergence.ts";
import { pairCases } from "../alignment/neighbour_cases.ts";
import {
  type AlignedProgram,
  type AlignmentReport,
  proveAlignment,
  type ProvedCase,
  type ProveOptions,
} from "../alignment/prove_alignment.ts";
import { computesOutputs, pathsOf } from "../alignment/trace_program.ts";

/** The largest μ of which `gaussianDelta` has its digits, a bound on the relative error of δ, and of the root of a square of μ. */
const LARGEST_MU = 1000, RELATIVE_ERROR = 2e-10;
/** Halvings of an interval in which an ε lies. */
const HALVINGS = 50;

/** A pair on which the noise tells more than a claim allows. */
export interface DivergenceRefutation {
  /** One dataset. */
  readonly left: unknown;
  /** Its neighbour. */
  readonly right: unknown;
  /** The least ρ, μ, Rényi divergence or ε that the program keeps on the pair, rounded down; Infinity where it keeps none. */
  readonly amount: number;
}

/**
 * Refutes a claim of zCDP, Gaussian or Rényi privacy on the pair at which the proof is tight, where the program compares no noise and its output shows each
 * draw: then what the output tells is what Laplace and Gaussian noise tells at two places, and that is known. Of pure and approximate claims it refutes
 * those of Gaussian noise alone.
 */
export async function refuteByDivergence(
  program: AlignedProgram,
  { claim, report, isPair, ...options }: Pick<ProveOptions, "claim" | "maxPaths" | "test"> & {
    readonly report: AlignmentReport;
    isPair(left: unknown, right: unknown): boolean;
  },
): Promise<DivergenceRefutation | undefined> {
  const pair = report.worst?.pair;
  if (pair === undefined) return undefined;
  const { left, right } = pair;
  if (!isPair(left, right)) return undefined;
  const { details } = await proveAlignment(program, {
    ...options,
    claim,
    cases: pairCases(left, right),
  });
  for (const proved of details) {
    const amount = amountOn(proved, claim);
    if (amount !== undefined && amount > parameterOf(claim).value) return { left, right, amount };
  }
  return undefined;
}

/** Returns the amount that noise tells on the pair of a case, rounded down; `undefined` where the output is not as good as the noise. */
function amountOn({ proof, laws }: ProvedCase, claim: Claim): number | undefined {
  if (proof.kind !== "leaf") return undefined;
  if ([proof.left, proof.right].some(computesOutputs)) return undefined;
  const [path, ...others] = pathsOf(proof.left);
  const [aligned] = proof.alignment.classes;
  if (path === undefined || others.length > 0 || aligned === undefined) return undefined;
  const { shift: { shift } } = aligned;
  if (!showsEachDraw(path.output.released, [...shift.keys()])) return undefined;
  const laplace: number[] = [];
  let muSquared = rational(0);
  for (const [noise, form] of shift) {
    const law = laws.of(noise), by = coefficient(form, "");
    if (law.kind === "laplace") laplace.push(numberDown(multiply(law.rate, size(by))));
    else if (law.kind === "gaussian") {
      muSquared = add(muSquared, divide(multiply(by, by), law.variance));
    } else return undefined;
  }
  if (claim.kind === "pure" || claim.kind === "approximate") {
    if (laplace.length > 0 || muSquared.numerator === 0n) return undefined;
    return claim.kind === "pure" ? Infinity : gaussianEpsilonDown(muSquared, claim.delta);
  }
  return amountDown(claim, { laplace, muSquared: numberDown(muSquared) });
}

/** Returns an ε that Gaussian noise does not keep with this δ, or 0: the largest of them, rounded down. */
function gaussianEpsilonDown(muSquared: Rational, delta: number): number {
  const mu = Math.min(LARGEST_MU, Math.sqrt(numberDown(muSquared)) * (1 - RELATIVE_ERROR));
  const exceeds = (epsilon: number): boolean =>
    gaussianDelta(mu, epsilon) * (1 - RELATIVE_ERROR) > delta;
  let below = 0, above = 1;
  while (exceeds(above)) [below, above] = [above, 2 * above];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (below + above) / 2;
    if (exceeds(middle)) below = middle;
    else above = middle;
  }
  return below;
}

/** Returns true if draws can be computed from the released values: the forms of noise in these are independent, as many as there are draws. */
function showsEachDraw(released: readonly Affine[], moved: readonly string[]): boolean {
  let forms = released.map((form) => part(form, true)).filter((form) => form.size > 0);
  const draws = new Set(forms.flatMap((form) => [...form.keys()].filter(isNoise)));
  if (!moved.every((noise) => draws.has(noise))) return false;
  for (const draw of draws) {
    const pivot = forms.find((form) => form.has(draw));
    if (pivot === undefined) return false;
    forms = forms.filter((form) => form !== pivot).map((form) =>
      plus(
        form,
        pivot,
        divide(coefficient(form, draw), multiply(rational(-1), coefficient(pivot, draw))),
      )
    ).filter((form) => form.size > 0);
  }
  return true;
}

function size(value: Rational): Rational {
  return value.numerator < 0n ? negated(value) : value;
}
