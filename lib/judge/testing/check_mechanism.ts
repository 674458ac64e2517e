import { audit } from "../audit/audit.ts";
import type { AuditReport } from "../audit/report.ts";
import { mechanismSubject } from "../audit/subjects/mechanism_subject.ts";
import { randomPair, type SearchSpace } from "../audit/search/mutate_pairs.ts";
import { seedPairs } from "../audit/search/seed_pairs.ts";
import type { Dataset, Domain, RowSpec } from "../../core/relations/dataset.ts";
import type { Mechanism } from "../../core/mechanism/mechanism.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { requireInteger, requireKind } from "../../core/numeric/require.ts";
import { SeededSource } from "../../core/random/seeded_source.ts";
import { terminalReport } from "../report/terminal.ts";
import { checkLaws, type Law, type LawOutcome, type LawReport } from "./laws/law.ts";
import { type CheckedMechanism, DRAWS } from "./laws/checked_mechanism.ts";
import { mechanismLaws } from "./laws/mechanism_laws.ts";
import { type GivenPair, OptionCheck } from "./option_check.ts";

/** Inputs on which a mechanism is tried. */
export interface CheckMechanismOptions {
  /** The datasets that it takes. Default: the mechanism's own. */
  readonly domain?: Domain;
  /** More datasets that it must take: the largest, the emptiest, the farthest out. */
  readonly data?: readonly Dataset[];
  /**
   * Datasets that it must refuse. Default: one of the domain with a row that is no row of it. `[]` where any row is taken.
   */
  readonly badData?: readonly Dataset[];
  /** More neighbours to compute the loss on: those where the mechanism loses most. */
  readonly pairs?: readonly GivenPair[];
  /** Whether the audit looks at the bits of doubles, which show noise that is rounded to them. Default true. */
  readonly bits?: boolean;
  /** Draws of the audit. Default 20,000. */
  readonly maxDraws?: number;
  /** Of all draws. Default 1. */
  readonly seed?: number;
}

/** Every option. */
const NAMES: Readonly<Record<keyof CheckMechanismOptions, true>> = {
  domain: true,
  data: true,
  badData: true,
  pairs: true,
  bits: true,
  maxDraws: true,
  seed: true,
};

/** Report of the laws about a mechanism that keeps them. */
export interface MechanismReport extends LawReport {
  /**
   * The largest share of the claim that a pair was seen to lose, by the stated laws: near 1 where no noise is wasted. Of claims
   * that are not pure only by `distribution`. 0 where no law is stated.
   */
  readonly largestLoss: number;
  /** The pair that loses it. */
  readonly pair: Pair | undefined;
}

/** The chance that the audit refutes a true claim. */
const ALPHA = 1e-4;
/** Neighbours at which the loss is computed: the first that an audit looks at, and random ones. */
const FIRST_PAIRS = 30, RANDOM_PAIRS = 30;

const check: OptionCheck = new OptionCheck("check a mechanism");

/**
 * Checks the laws that every mechanism of dpcheck keeps, on any object that is one: claims made by their constructors; all
 * data of the domain taken, and left as they are; outputs that can be compared; no randomness but the source's; bad
 * data refused before a draw, in words that show no row; blocks in the law of single outputs; draws with the chances that
 * `distribution` and `logDensity` state; no pair that loses more than the claim and those in `alsoKeeps` allow; no audit that refutes the claim.
 *
 * A mechanism that keeps them passes with a probability above 0.999, and always or never with the same seed. Passing
 * does not prove the claim: {@linkcode assertExactlyPrivate} does, where it can.
 *
 * @throws {AssertionError} at the first law that is broken: its name, what breaks it, and what to do.
 * @throws {RangeError} when there is no domain, or an option is unknown or out of bounds.
 *
 * @example
 * ```ts
 * import { pure, replaceOne, type Source } from "@dpcheck/dpcheck/core";
 * import { checkMechanism } from "@dpcheck/dpcheck/testing";
 *
 * const truth = 0.75; // ε = ln(0.75 / 0.25)
 * const check = ([row]: readonly boolean[]) => {
 *   if (typeof row !== "boolean") throw new RangeError("Cannot release: the row must be true or false");
 * };
 * await checkMechanism({
 *   name: "one noisy answer",
 *   claim: pure({ epsilon: Math.log(3) + 1e-12, relation: replaceOne }),
 *   domain: { rows: { type: "boolean" }, size: { min: 1, max: 1 } },
 *   check,
 *   sample(data: readonly boolean[], source: Source) {
 *     check(data);
 *     return source.uniform() < truth ? data[0]! : !data[0];
 *   },
 *   distribution: ([row]: readonly boolean[]) => [
 *     { output: row!, probability: truth },
 *     { output: !row, probability: 1 - truth },
 *   ],
 * });
 * ```
 */
export async function checkMechanism<Row, Output>(
  mechanism: Mechanism<Row, Output>,
  options: CheckMechanismOptions = {},
): Promise<MechanismReport> {
  requireKind("checkMechanism", "mechanism", mechanism, "record");
  requireKind("checkMechanism", "options", options, "record");
  check.names(options, NAMES);
  const { domain = mechanism.domain, seed = 1, maxDraws = 20_000, bits = true } = options;
  if (domain === undefined) {
    check.refuse("domain", "be given where the mechanism has none", undefined);
  }
  check.domain(domain);
  requireInteger("check a mechanism", "maxDraws", maxDraws, { min: 1 });
  const relation = mechanism.claim?.relation;
  const space = { domain, relation };
  const given = (options.pairs ?? []).map((pair) => check.pair(pair, relation));
  const source = new SeededSource(seed).split("data");
  const generated = relation === undefined ? [] : generatedPairs(space, source);
  const own = [...generated.flatMap(({ left, right }) => [left, right])].sort((a, b) =>
    b.length - a.length
  );
  let largestLoss = 0, worst: Pair | undefined, drawn: unknown[] | undefined;
  const checked: CheckedMechanism = {
    mechanism: mechanism as Mechanism,
    domain,
    data: own,
    moreData: options.data ?? [],
    badData: options.badData ?? (own.length === 0 ? [] : spoiled(domain.rows, own[0]!)),
    pairs: [...given, ...generated],
    seed,
    drawn(): readonly unknown[] {
      if (drawn === undefined) {
        const source = new SeededSource(seed);
        drawn = Array.from(
          { length: DRAWS },
          () => (mechanism as Mechanism).sample(own[0]!, source),
        );
      }
      return drawn;
    },
    note(share, pair): void {
      if (share > largestLoss) [largestLoss, worst] = [share, pair];
    },
  };
  const laws = [...mechanismLaws, auditLaw({ maxDraws, bits })];
  const report = await checkLaws(laws, { name: mechanism.name || "the mechanism", checked });
  return { ...report, largestLoss, pair: worst };
}

/** Neighbours of the domain, corners first. */
function generatedPairs(space: SearchSpace, source: SeededSource): Pair[] {
  const random = Array.from({ length: RANDOM_PAIRS }, () => randomPair(space, source));
  return [
    ...seedPairs(space).slice(0, FIRST_PAIRS),
    ...random.filter((pair) => pair !== undefined),
  ];
}

/** Datasets like one of the domain whose first row is no row of it. */
function spoiled(rows: RowSpec, data: Dataset): Dataset[] {
  if (data.length === 0) return [];
  const bad = {
    number: [NaN, Infinity, "a text", undefined],
    integer: [NaN, Infinity, "a text", undefined],
    boolean: ["a text", 2, undefined],
    category: ["no category", undefined],
    text: [undefined],
    vector: [[NaN], undefined],
    record: [undefined],
  }[rows.type];
  return bad.map((row) => data.with(0, row));
}

function auditLaw(
  { maxDraws, bits }: { readonly maxDraws: number; readonly bits: boolean },
): Law<CheckedMechanism> {
  return {
    name: "an audit does not refute the claim",
    advice:
      "mend what the event shows; where it is bits of doubles, draw noise by discreteLaplace() or " +
      "discreteGaussian() on a grid, or pass `bits: false` where the mechanism is a study",
    async check({ mechanism, domain, seed }): Promise<LawOutcome> {
      const subject = mechanismSubject(mechanism, {
        source: new SeededSource(seed).split("audit"),
      });
      const report: AuditReport = await audit(subject, {
        claim: mechanism.claim,
        domain,
        alpha: ALPHA,
        maxDraws,
        maxSeconds: Infinity,
        seed,
        bits,
        shrink: false,
        // What is asked is whether the claim is refuted.
        requirePower: Infinity,
      });
      return report.verdict === "refuted" || report.verdict === "failed"
        ? { what: terminalReport({ ...report, replay: "checkMechanism()" }).trimEnd() }
        : undefined;
    },
  };
}
