import type { Claim } from "../../core/claims/claim.ts";
import type { Source } from "../../core/mechanism/source.ts";
import type { Budget } from "../accounting/budget/budget.ts";
import { spendThen } from "../mechanisms/release.ts";
import { SecureSource } from "../../core/random/secure_source.ts";
import type { Row } from "../schema/cells.ts";
import { type Keys, numberReader, ONE_GROUP, requireNumberColumn } from "./keys.ts";
import { type Cost, type NoisyTotals, noisyTotals, type Price, priceOf } from "./noise.ts";
import { howMany, howManyInAll, meanOf, type Question, sumOf, varianceOf } from "./questions.ts";
import { type Answers, answersOf } from "./result.ts";
import type { CheckedSchema } from "./schema.ts";
import { type ContributionBounds, sensitivityOf } from "./sensitivity.ts";
import { type Reader, totalsReader } from "./totals.ts";

/** A table as it is asked about, without its rows. */
export interface View {
  readonly schema: CheckedSchema;
  /** What is kept of each person; `undefined` where persons are not bounded yet. Of a row as a unit: itself, once. */
  readonly bounds: ContributionBounds | undefined;
}

/** What is asked. */
export type Request =
  | {
    readonly what: "count";
    /** Whether all intervals hold at once. */
    readonly together?: boolean;
  }
  | { readonly what: "sum" | "mean" | "variance"; readonly column: string };

/** A question that was put to a table, with nothing read, spent or drawn. It can be answered again, of other rows. */
export interface Prepared<Output> {
  readonly claim: Claim;
  readonly alsoKeeps: readonly Claim[];
  /** Begins to read rows, with no memory of those before; the source only chooses which rows of a person count. */
  readonly open: (source: Source) => Reader;
  /** Draws the answer. */
  readonly draw: (source: Source) => Output;
}

/** A question whose answers follow from totals. */
export interface Asked extends Prepared<Answers> {
  readonly price: Price;
  /** What is added up, by measure and group. */
  readonly totals: readonly Float64Array[];
  /** The noise of each measure. */
  readonly noisy: readonly NoisyTotals[];
}

/** Puts a question to the groups of a table: whatever is wrong with it is found here. */
export function askedOf(
  view: View,
  keys: Keys,
  { cost, ...request }: Request & { readonly cost: Cost },
): Asked {
  const { schema } = view, { relation, addRemove } = schema, groupCount = keys.keys.length;
  const action = request.what === "count" ? "count" : `take a ${request.what}`;
  const bounds = requireBounded(action, view);
  if (request.what === "count") {
    const price = priceOf(action, cost, { relation, parts: 1 });
    return ask(view, { keys, question: request.together ? howManyInAll : howMany, price, bounds });
  }
  const { column: name, what } = request;
  const column = requireNumberColumn(action, schema.columns, name);
  const read = numberReader(column, name);
  const sizeIsPublic = schema.rowCountIsPublic && keys === ONE_GROUP &&
    column.missing !== undefined;
  const parts = what === "sum" ? 1 : (what === "mean" ? 2 : 3) - (sizeIsPublic ? 1 : 0);
  const price = priceOf(action, cost, { relation, parts });
  // How wide noise is beside what a row adds decides how fine steps can be.
  const { l1, l2 } = sensitivityOf({ groupCount, bounds, addRemove, least: -1, most: 1 });
  const { kind, amount } = price.part;
  const scale = kind === "epsilon" ? l1 / amount : l2 / Math.sqrt(2 * amount);
  const asked = { column, read, scale };
  const question = what === "sum"
    ? sumOf(asked)
    : what === "mean"
    ? meanOf(asked, { sizeIsPublic })
    : varianceOf(asked, { sizeIsPublic });
  return ask(view, { keys, question, price, bounds });
}

function ask(
  { schema }: View,
  { keys, question, price, bounds }: {
    readonly keys: Keys;
    readonly question: Question;
    readonly price: Price;
    readonly bounds: ContributionBounds;
  },
): Asked {
  const { read, measures, name, finish } = question, groupCount = keys.keys.length;
  const totals = measures.map(() => new Float64Array(groupCount));
  const noisy = groupCount === 0
    ? []
    : measures.map(({ least, most }, i) =>
      noisyTotals(totals[i]!, {
        price,
        sensitivity: sensitivityOf({
          groupCount,
          bounds,
          addRemove: schema.addRemove,
          least,
          most,
        }),
      })
    );
  const persons = schema.person === undefined ? undefined : { column: schema.person, bounds };
  let estimate: ReturnType<Question["finish"]> | undefined;
  return {
    claim: price.claim,
    alsoKeeps: price.alsoKeeps,
    price,
    totals,
    noisy,
    open: (source) => {
      question.begin?.();
      return totalsReader(totals, { keys, read, measures, persons }, source);
    },
    draw: (source) => {
      if (groupCount === 0) {
        return answersOf({ name, columns: keys.columns, rows: [], claim: price.claim });
      }
      const drawn = noisy.map(({ mechanism }) => mechanism.sample([], source));
      const estimateOf = estimate ??= finish(noisy.map(({ law }) => law), groupCount);
      return answersOf({
        name,
        columns: keys.columns,
        rows: keys.keys.map((key, group) => ({
          key,
          ...estimateOf(drawn.map((each) => each[group]!)),
        })),
        claim: price.claim,
      });
    },
  };
}

/** What one unit may contribute. @throws {RangeError} where persons are not bounded. */
export function requireBounded(action: string, { bounds }: View): ContributionBounds {
  if (bounds !== undefined) return bounds;
  throw new RangeError(
    `Cannot ${action}: what a person contributes must be bounded, as in ` +
      "table.boundContributions({ groups: 1, rows: 1 }): current value is undefined",
  );
}

/** Answers privately: what the budget cannot pay for is refused before rows are read, and it pays before noise is drawn. */
export async function answer<Output>(
  budget: Budget,
  visitRows: (visit: (row: Row) => void) => Promise<void>,
  { claim, alsoKeeps, open, draw }: Prepared<Output>,
): Promise<Output> {
  const source = new SecureSource();
  // Says why it cannot.
  if (!budget.canSpend(claim, alsoKeeps)) budget.spend(claim, alsoKeeps);
  const { take, end, close } = open(source);
  try {
    await visitRows(take);
    end();
  } finally {
    close?.();
  }
  return spendThen("answer", { budget, source, prepare: () => ({ claim, alsoKeeps, draw }) });
}
