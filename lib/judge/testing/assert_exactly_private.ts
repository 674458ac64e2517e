import { statedClaim } from "../../core/claims/at_reach.ts";
import type { ApproximateClaim, Claim, PureClaim } from "../../core/claims/claim.ts";
import type { ProgramSource, Real } from "../../core/mechanism/continuous_draws.ts";
import type { Dataset, Domain } from "../../core/relations/dataset.ts";
import { declaredCall } from "../../core/mechanism/declared_call.ts";
import type { DiscreteSource } from "../../core/mechanism/discrete_source.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Pair, Relation } from "../../core/relations/relation.ts";
import { isTracedProgram } from "../exact/alignment/first_draw.ts";
import type { AlignmentReport } from "../exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../exact/alignment/trace_program.ts";
import { checkExactly, type ExactReport } from "../exact/enumeration/check_exactly.ts";
import { datasetsOfDomain, neighboursOfDomain } from "../exact/enumeration/finite_domain.ts";
import { drawingFrom } from "../exact/enumeration/drawing_from.ts";
import { alignmentText } from "../report/alignment_text.ts";
import { exactText } from "../report/exact_text.ts";
import { AssertionError } from "./assertion_error.ts";
import { OptionCheck } from "./option_check.ts";
import { numbersOfSubject } from "./numbers_of_subject.ts";
import { type AlignmentSubject, proveOrAudit } from "./prove_or_audit.ts";

/** Options of {@linkcode assertExactlyPrivate}: the domain and the claim. */
export interface AssertExactlyPrivateOptions {
  /** The claim. Default: the mechanism's own, or what `epsilon` (and `delta`) make under `relation`. */
  readonly claim?: Claim;
  /** ε in nats, in place of `claim`. */
  readonly epsilon?: number;
  /** δ of the claim that `epsilon` makes. Default 0. */
  readonly delta?: number;
  /** When two datasets are neighbours: a relation, or its name. Default: as the claim says. */
  readonly relation?: Relation | string;
  /** The only pair. Default: all neighbours in the domain. */
  readonly pair?: Pair;
  /** A domain, finite where draws are discrete. Default: the mechanism's own. */
  readonly domain?: Domain;
  /** Most runs of the program. Default 1,000,000; paths of continuous noise: 10,000. */
  readonly maxBranches?: number;
  /** Discrete draws only: seconds for all datasets together. Default 300. */
  readonly maxSeconds?: number;
  /** Discrete draws only: the probability that may be left out on a dataset where outputs have no end. Default 1e-9. */
  readonly remainder?: number;
}

/** Report of the decision: by enumeration where draws are discrete, by alignments where they are continuous. */
export type ExactlyPrivate = ExactReport | AlignmentReport;

/**
 * Decides in a test whether code keeps its claim, and throws unless it does.
 *
 * Discrete draws: the code is run on every path of its draws, on all neighbours of a finite domain. Where outputs are finitely many
 * the answer is exact, else it holds but for the remainder. Continuous draws (`source.laplace` and others): the claim is proved for
 * all pairs of the domain by shifts of the noise. What is not proved is refuted by the likelihoods of an output, or audited; the error has
 * the pair, and the output or the event, that refute it, or says that it was neither proved nor refuted. docs/programs.md has the draws and their limits.
 *
 * @param subject a mechanism, or a function of a dataset and a source that draws by the source's methods.
 * @throws {AssertionError} when the claim is refuted, was not proved, or too much was not run.
 * @throws {RangeError} when an option is out of range or something needed is missing.
 * @throws {NotEnumerable} when code with discrete draws draws floats, is asynchronous or keeps state.
 * @throws {NotTraceable} likewise for code with continuous draws.
 *
 * @example
 * ```ts
 * import { pairOf, replaceOne } from "@dpcheck/dpcheck";
 * import type { DiscreteSource } from "@dpcheck/dpcheck/random";
 * import { assertExactlyPrivate } from "@dpcheck/dpcheck/testing";
 *
 * const answer = (data: readonly boolean[], source: DiscreteSource) =>
 *   source.choice({ exponents: [0, 1] }) === 0 ? data[0] : !data[0];
 * await assertExactlyPrivate(answer, {
 *   epsilon: 1,
 *   relation: replaceOne,
 *   pair: pairOf(replaceOne, { left: [false], right: [true] }),
 * });
 * ```
 *
 * @example Continuous noise: all answers within ±10, and all changes by 1 at most
 * ```ts
 * import { changeEach } from "@dpcheck/dpcheck";
 * import type { ProgramSource, Real } from "@dpcheck/dpcheck/core";
 * import { assertExactlyPrivate } from "@dpcheck/dpcheck/testing";
 *
 * const noisyMax = (answers: readonly Real[], source: ProgramSource) =>
 *   source.indexOfLargest(answers.map((x) => source.sum(x, source.laplace({ rate: 0.5 }))));
 * await assertExactlyPrivate(noisyMax, {
 *   epsilon: 1,
 *   relation: changeEach({ by: 1 }),
 *   domain: { rows: { type: "number", min: -10, max: 10 }, size: { min: 3, max: 3 } },
 * });
 * ```
 */
export async function assertExactlyPrivate<Row, Output>(
  subject:
    | Mechanism<Row, Output>
    | ((data: Row[], source: DiscreteSource) => Output)
    | ((data: Real[], source: ProgramSource) => unknown),
  given: AssertExactlyPrivateOptions = {},
): Promise<ExactlyPrivate> {
  const options = {
    ...given,
    relation: new OptionCheck("assert privacy").relation(given.relation),
  };
  const { pair, maxBranches, maxSeconds, remainder } = options;
  const mechanism = typeof subject === "function" ? undefined : subject;
  const claim = claimOf(options, mechanism?.claim);
  const domain = options.domain ?? mechanism?.domain;
  if (pair === undefined && domain === undefined) {
    throw new RangeError("Cannot assert privacy: pair or domain must be given");
  }
  const name = mechanism?.name ?? ((subject as { name: string }).name || "the function");
  const run: TracedProgram = typeof subject === "function"
    ? declaredCall(subject).run
    : (data, source) => subject.sample(data as Dataset<Row>, source);
  const relation = options.relation ?? claim.relation;
  const where = {
    ...(pair === undefined ? {} : { pair }),
    ...(domain === undefined ? {} : { domain }),
  };
  if (isTracedProgram(run, where)) {
    return await assertAligned({
      name,
      run,
      claim,
      relation,
      numbers: numbersOfSubject(subject),
      ...where,
    }, maxBranches);
  }
  const datasets = pair === undefined ? datasetsOfDomain(domain!) : [pair.left, pair.right];
  const neighbours = pair === undefined ? neighboursOfDomain(domain!, relation) : [[0, 1] as const];
  const start = performance.now();
  const { report } = checkExactly({ name, run: drawingFrom(run) }, {
    claim: enumerable(claim),
    datasets,
    neighbours,
    ...(maxBranches === undefined ? {} : { maxBranches }),
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
    ...(remainder === undefined ? {} : { remainder }),
  });
  if (report.verdict === "holds") return report;
  const seconds = (performance.now() - start) / 1000;
  throw new AssertionError(exactText(report, { seconds }).trimEnd(), { report });
}

async function assertAligned(
  subject: AlignmentSubject,
  maxPaths: number | undefined,
): Promise<AlignmentReport> {
  const { proof: { report }, seconds, refuted, audited } = await proveOrAudit(
    subject,
    maxPaths === undefined ? {} : { maxPaths },
  );
  if (report.verdict === "holds") return report;
  const relation = subject.pair === undefined ? subject.relation : undefined;
  const found = { ...(refuted && { refuted }), ...(audited && { audited }) };
  throw new AssertionError(alignmentText(report, { seconds, relation, ...found }).trimEnd(), {
    report: { ...report, ...(refuted && { refuted }), ...(audited && { audit: audited }) },
  });
}

function claimOf(
  { claim, epsilon, delta = 0, relation }:
    & Omit<AssertExactlyPrivateOptions, "relation">
    & { readonly relation: Relation | undefined },
  own: Claim | undefined,
): Claim {
  const under = relation ?? claim?.relation ?? own?.relation;
  if (epsilon !== undefined && under === undefined) {
    throw new RangeError(
      "Cannot assert privacy: relation must be given with epsilon: current value is undefined",
    );
  }
  const chosen = epsilon === undefined
    ? claim ?? own
    : statedClaim({ epsilon, delta, relation: under! });
  if (chosen === undefined) {
    throw new RangeError("Cannot assert privacy: claim must be given: current one is missing");
  }
  return chosen;
}

/** The claim, where enumeration decides it. */
function enumerable(claim: Claim): PureClaim | ApproximateClaim {
  if (claim.kind === "pure" || claim.kind === "approximate") return claim;
  throw new RangeError(
    `Cannot assert privacy: claim must be pure or approximate where draws are discrete: current one is ${claim.kind}`,
  );
}
