import { assert } from "@std/assert";
import fc, { type Arbitrary } from "fast-check";
import type { Claim } from "../../lib/core/claims/claim.ts";
import type { Dataset } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { Relation } from "../../lib/core/relations/relation.ts";
import type { Sides } from "../../proofs/tools/density_ratio.ts";
import { release } from "../../lib/dp/mechanisms/release.ts";
import type { SecureSource } from "../../lib/core/random/secure_source.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { alsoShare } from "./shares.ts";
import { WatchedSource } from "../../lib/judge/testing/laws/watched_source.ts";
import { LONG } from "../long.ts";

/** Everything about one drawn case. */
export interface Case<Options, Row, Output> extends Sides<Dataset<Row>> {
  /** The drawn options. */
  readonly options: Options;
  /** Made from them. */
  readonly mechanism: Mechanism<Row, Output>;
  /** For what a search draws. */
  readonly source: SeededSource;
}

/** How a family of mechanisms is swept. */
export interface SweepDefinition<Options extends object, Row, Output> {
  /** In the names of tests. */
  readonly name: string;
  /** The exported functions of lib/dp/mechanisms and lib/dp/learners that the cases call. */
  readonly covers: readonly string[];
  /** All options, in plain values: fast-check prints and shrinks them. */
  readonly options: Arbitrary<Options>;
  /** The mechanism. It must throw on the bad options. */
  readonly make: (options: Options) => Mechanism<Row, Output>;
  /** Neighbours under the claim's relation. */
  readonly pair: (options: Options, source: SeededSource) => Sides<Dataset<Row>>;
  /** The worst loss found on the pair, as a share of what the claim allows. */
  readonly share: (drawn: Case<Options, Row, Output>) => number;
  /** Rounding in the computation of shares. Default 1e-9. */
  readonly tolerance?: number;
  /** The share that some case of every run comes to: a search that sees less is blind. */
  readonly attained: number;
  /** Whether an output has the form that is documented. */
  readonly shape: (output: Output, drawn: Case<Options, Row, Output>) => boolean;
  /** For some options, values that must be refused. */
  readonly badOptions: { readonly [Key in keyof Options]?: readonly unknown[] };
  /** Data that must be refused. */
  readonly badData?: (options: Options) => readonly Dataset<unknown>[];
  /** How it is released. Default: {@linkcode release}. */
  readonly release?: (
    options: Options,
    data: Dataset<Row>,
    spending: { readonly budget: Ledger; readonly source?: SecureSource },
  ) => unknown;
  /** Cases of the short run; the long one has forty times as many. Default 60. */
  readonly cases?: number;
}

/** A sweep whose types are its own affair. */
export interface Sweep {
  /** In the names of tests. */
  readonly name: string;
  /** The exported functions of lib/dp/mechanisms and lib/dp/learners that the cases call. */
  readonly covers: readonly string[];
  /** Draws cases and checks them. */
  run(): SweepOutcome;
}

/** What a sweep that found nothing has done. */
export interface SweepOutcome {
  /** Cases checked. */
  readonly cases: number;
  /** The largest share of the claim that any lost. */
  readonly most: number;
}

/** A budget without a limit that keeps what was spent. */
export class Ledger {
  /** In order. */
  readonly claims: Claim[] = [];

  /** Records a claim. */
  spend(claim: Claim): void {
    this.claims.push(claim);
  }
}

/** A budget that cannot pay for anything. */
class EmptyLedger extends Ledger {
  /** Refuses. */
  override spend(_claim: Claim): void {
    throw new RangeError("Cannot spend: there is nothing left");
  }
}

/** Makes a sweep of a definition. */
export function sweep<Options extends object, Row, Output>(
  definition: SweepDefinition<Options, Row, Output>,
): Sweep {
  const { name, covers, options, attained, cases = 60 } = definition;
  const numRuns = LONG ? 40 * cases : Math.ceil(cases * 2 / 3);
  return {
    name,
    covers,
    run(): SweepOutcome {
      let most = 0, checked = 0;
      fc.assert(
        fc.property(options, fc.nat(), (drawn, seed) => {
          const share = checkCase(definition, { options: drawn, seed });
          most = Math.max(most, share);
          checked++;
        }),
        { numRuns, seed: LONG ? 2_112_027 : 2_112_026, endOnFailure: false },
      );
      assert(most >= attained, `the search is blind: ${most} of the claim in ${checked} cases`);
      return { cases: checked, most };
    },
  };
}

function checkCase<Options extends object, Row, Output>(
  definition: SweepDefinition<Options, Row, Output>,
  { options, seed }: { readonly options: Options; readonly seed: number },
): number {
  const source = new SeededSource(seed);
  const mechanism = definition.make(options);
  const { left, right } = definition.pair(options, source.split("pair"));
  requireNeighbours(mechanism.claim.relation, { left, right });
  requireAsked(options, mechanism.claim);
  const drawn = { options, mechanism, left, right, source: source.split("search") };
  checkRefusals(definition, { options, left, seed });
  checkValidData(definition, drawn);
  const also = alsoShare(mechanism, drawn);
  assert(also <= 1 + 1e-6, `a claim kept besides is exceeded: a pair loses ${also} of it`);
  const share = definition.share(drawn);
  const { tolerance = 1e-9 } = definition;
  assert(share <= 1 + tolerance, `the claim is exceeded: a pair loses ${share} of it`);
  return share;
}

/** A mechanism may claim less than its options ask for, never more. */
function requireAsked(options: object, claim: Claim): void {
  for (const name of ["epsilon", "rho", "delta"]) {
    const asked: unknown = (options as Record<string, unknown>)[name];
    const claimed: unknown = (claim as unknown as Record<string, unknown>)[name];
    if (typeof asked !== "number" || typeof claimed !== "number") continue;
    assert(claimed <= asked, `${name} of ${asked} was asked for, and ${claimed} is claimed`);
  }
}

function requireNeighbours(relation: Relation, { left, right }: Sides<Dataset>): void {
  const violation = relation.violation(left, right);
  assert(violation === undefined, `the generator made no neighbours: ${violation}`);
}

/** Both sides are released, at the cost of the claim alone, and what comes out has the right form. */
function checkValidData<Options extends object, Row, Output>(
  definition: SweepDefinition<Options, Row, Output>,
  drawn: Case<Options, Row, Output>,
): void {
  const { options, mechanism, left, right, source } = drawn;
  for (const data of [left, right]) {
    mechanism.check?.(data);
    const output = mechanism.sample(data, source);
    assert(definition.shape(output, drawn), `the output has another form: ${show(output)}`);
  }
  const budget = new Ledger();
  (definition.release ?? releaseOf(definition))(options, left, { budget });
  assert(budget.claims.length === 1, `spent ${budget.claims.length} times`);
  assert(
    show(budget.claims[0]) === show(mechanism.claim),
    `spent ${show(budget.claims[0])} for a claim of ${show(mechanism.claim)}`,
  );
}

/**
 * One bad option, all bad data, and a budget that cannot pay: refused in the words of the house, before
 * anything is spent or drawn.
 */
function checkRefusals<Options extends object, Row, Output>(
  definition: SweepDefinition<Options, Row, Output>,
  { options, left, seed }: { options: Options; left: Dataset<Row>; seed: number },
): void {
  const send = definition.release ?? releaseOf(definition);
  const refuse = (
    bad: Options,
    data: Dataset<Row>,
    { what, budget = new Ledger() }: { readonly what: string; readonly budget?: Ledger },
  ): void => {
    const source = new WatchedSource();
    let error: unknown;
    try {
      send(bad, data, { budget, source });
    } catch (thrown) {
      error = thrown;
    }
    assert(
      (error instanceof RangeError || error instanceof TypeError) &&
        /^Cannot [^:]+: ./.test(error.message),
      `${what} is not refused as it should: ${error}`,
    );
    assert(budget.claims.length === 0, `${what} is refused after the budget was spent`);
    assert(!source.used, `${what} is refused after randomness was used`);
  };
  const bad = Object.entries(definition.badOptions) as [keyof Options, readonly unknown[]][];
  if (bad.length > 0) {
    const [key, values] = bad[seed % bad.length]!;
    const value = values[Math.floor(seed / bad.length) % values.length];
    refuse({ ...options, [key]: value }, left, { what: `${String(key)} = ${show(value)}` });
  }
  for (const data of definition.badData?.(options) ?? []) {
    refuse(options, data as Dataset<Row>, { what: "bad data" });
  }
  refuse(options, left, { what: "what the budget cannot pay", budget: new EmptyLedger() });
}

function releaseOf<Options extends object, Row, Output>(
  { make }: SweepDefinition<Options, Row, Output>,
): NonNullable<SweepDefinition<Options, Row, Output>["release"]> {
  return (options, data, spending) => release(make(options), data, spending);
}

function show(value: unknown): string {
  return JSON.stringify(
    value,
    (_, part) =>
      typeof part === "bigint" || typeof part === "function" || Object.is(part, NaN) ||
        part === Infinity || part === -Infinity || part === undefined
        ? String(part)
        : part,
  );
}
