import type { Claim } from "../../core/claims/claim.ts";
import type { Source } from "../../core/mechanism/source.ts";
import type { Budget } from "../accounting/budget/budget.ts";
import { spendThen } from "../mechanisms/release.ts";
import { SecureSource } from "../../core/random/secure_source.ts";
import type { Row } from "../schema/cells.ts";
import { requireNumbers } from "./column_values.ts";
import { checkFound } from "./engine/check_found.ts";
import { rowBuffer } from "./engine/memory.ts";
import type { Condition, Engine, Found, Plan } from "./engine/plan.ts";
import { planInMemory } from "./engine/plan_in_memory.ts";
import { type Keys, ONE_GROUP } from "./keys.ts";
import { type Cost, type NoisyTotals, noisyTotals, type Price, priceOf } from "./noise.ts";
import {
  type GroupedQuestion,
  howMany,
  meanOf,
  missOfEach,
  ONE,
  ratioOfSums,
  sumOf,
  varianceOf,
} from "./grouped_questions.ts";
import { type Answers, answersOf } from "./result.ts";
import type { CheckedSchema } from "./schema.ts";
import { type ContributionBounds, sensitivityOf } from "./sensitivity.ts";

/** A table as it is asked about, without its rows. */
export interface View {
  readonly schema: CheckedSchema;
  /** Contributions that are kept of each person; `undefined` where persons are not bounded yet. Of a row as a unit: itself, once. */
  readonly bounds: ContributionBounds | undefined;
  /** Conditions that rows must satisfy to be asked about. */
  readonly where?: readonly Condition[];
  /** The words of these conditions. */
  readonly whereWords?: readonly string[];
}

/** The question. */
export type Request =
  & {
    /** Number of intervals that hold at once. Default: each by itself. */
    readonly together?: boolean | number | undefined;
  }
  & (
    | { readonly what: "count" }
    | { readonly what: "sum" | "mean" | "variance"; readonly column: string }
    | { readonly what: "ratio"; readonly column: string; readonly per: string }
  );

/** A question that was put to a table, with nothing read, spent or drawn. It can be answered again, of other rows. */
export interface Prepared<Output> {
  readonly claim: Claim;
  readonly alsoKeeps: readonly Claim[];
  /** Plan for an engine, with random words that choose which rows of a person count. */
  readonly plans: (source: Pick<Source, "uint32">) => readonly Plan[];
  /** Takes what an engine found for each plan, in place of what was found before. */
  readonly receive: (found: readonly Found[]) => void;
  /** Reads rows in memory, one by one, with no memory of those before. */
  readonly open: (source: Pick<Source, "uint32">) => Reader;
  /** Draws the answer. */
  readonly draw: (source: Source) => Output;
}

/** Takes the rows of a table. */
export interface Reader {
  /** Takes one row, whatever it is. */
  readonly take: (row: Row) => void;
  /** Called once, behind the last row. */
  readonly end: () => void;
}

/** A question whose answers follow from totals. */
export interface Asked extends Prepared<Answers> {
  readonly price: Price;
  /** Totals, by measure and group. */
  readonly totals: readonly Float64Array[];
  /** The noise of each measure. */
  readonly noisy: readonly NoisyTotals[];
}

/** The rows of a view, and how much of each person counts. */
export function rowsAsked(
  { schema, where = [] }: View,
  bounds: ContributionBounds,
  source: Pick<Source, "uint32">,
): Pick<Plan, "where" | "persons"> {
  const { person } = schema;
  if (person === undefined) return { where, persons: undefined };
  return { where, persons: { column: person, bounds, key: source.uint32() } };
}

/** A question that reads rows in memory, one by one. */
export function readingInMemory(
  { plans, receive }: Pick<Prepared<unknown>, "plans" | "receive">,
): Prepared<unknown>["open"] {
  return (source) => {
    const readers = plans(source).map(planInMemory);
    const buffer = rowBuffer((batch) => readers.forEach(({ take }) => take(batch)));
    return {
      take: buffer.add,
      end: () => {
        buffer.end();
        receive(readers.map(({ end }) => end()));
      },
    };
  };
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
  const { together = 1 } = request;
  const miss = together === true
    ? missOfEach(groupCount, { independent: true })
    : missOfEach(Number(together));
  const put = (question: GroupedQuestion, price: Price): Asked =>
    ask(view, { keys, question, price, bounds, miss });
  if (request.what === "count") {
    return put(howMany, priceOf(action, cost, { relation, parts: 1 }));
  }
  const { column: name, what } = request;
  const numbers = requireNumbers(action, schema, name);
  const sizeIsPublic = schema.rowCountIsPublic && keys === ONE_GROUP &&
    (view.where ?? []).length === 0 && numbers.missing !== undefined;
  const parts = what === "sum"
    ? 1
    : what === "ratio"
    ? 2
    : (what === "mean" ? 2 : 3) - (sizeIsPublic ? 1 : 0);
  const price = priceOf(action, cost, { relation, parts });
  // How wide noise is beside what a row adds decides how fine steps can be.
  const { l1, l2 } = sensitivityOf({ groupCount, bounds, addRemove, least: -1, most: 1 });
  const { kind, amount } = price.part;
  const scale = kind === "epsilon" ? l1 / amount : l2 / Math.sqrt(2 * amount);
  const asked = { numbers, scale };
  switch (what) {
    case "sum":
      return put(sumOf(asked), price);
    case "mean":
      return put(meanOf(asked, { sizeIsPublic }), price);
    case "variance":
      return put(varianceOf(asked, { sizeIsPublic }), price);
    case "ratio":
      return put(ratioOfSums(asked, requireNumbers(action, schema, request.per)), price);
  }
}

function ask(
  view: View,
  { keys, question, price, bounds, miss }: {
    readonly keys: Keys;
    readonly question: GroupedQuestion;
    readonly price: Price;
    readonly bounds: ContributionBounds;
    readonly miss: number;
  },
): Asked {
  const { numbers, measures, name, finish, sizeIsPublic = false } = question;
  const { addRemove } = view.schema, groupCount = keys.keys.length;
  const totals = measures.map(() => new Float64Array(groupCount));
  let size: number | undefined;
  const noisy = groupCount === 0
    ? []
    : measures.map(({ least, most }, i) =>
      noisyTotals(totals[i]!, {
        price,
        sensitivity: sensitivityOf({ groupCount, bounds, addRemove, least, most }),
      })
    );
  // One plan for each column of numbers: rows without a number in one count in others.
  const read = [...new Set(measures.map((measure) => measure.numbers ?? numbers))];
  const ofPlan = read.map((each) => measures.filter((one) => (one.numbers ?? numbers) === each));
  const plans = (source: Pick<Source, "uint32">): readonly Plan[] =>
    read.map((each, i) => ({
      ...rowsAsked(view, bounds, source),
      parts: keys.parts,
      clipped: each?.clipped,
      wanted: {
        kind: "totals",
        measures: [...ofPlan[i]!, ...(sizeIsPublic ? [ONE] : [])].map(({ steps }) => ({ steps })),
      },
    }));
  const receive = (found: readonly Found[]): void => {
    const of = found.map((each) => {
      if (each.kind === "totals") return each.totals;
      throw new TypeError(
        `Cannot answer: an engine must give totals: current kind is ${each.kind}`,
      );
    });
    measures.forEach((measure, i) => {
      const plan = read.indexOf(measure.numbers ?? numbers);
      totals[i]!.set(of[plan]![ofPlan[plan]!.indexOf(measure)]!);
    });
    size = sizeIsPublic ? of[0]!.at(-1)![0] : undefined;
  };
  let estimate: ReturnType<GroupedQuestion["finish"]> | undefined;
  return {
    claim: price.claim,
    alsoKeeps: price.alsoKeeps,
    price,
    totals,
    noisy,
    plans,
    receive,
    open: readingInMemory({ plans, receive }),
    draw: (source) => {
      const named = {
        name,
        columns: keys.columns,
        claim: price.claim,
        days: numbers?.days ?? false,
      };
      if (groupCount === 0) return answersOf({ ...named, rows: [] });
      const drawn = noisy.map(({ mechanism }) => mechanism.sample([], source));
      const estimateOf = estimate ??= finish(noisy.map(({ law }) => law), miss);
      // There may be many groups: their numbers go through one list.
      const of = [...drawn.map(() => 0), ...(size === undefined ? [] : [size])];
      const rows = keys.keys.map((key, group) => {
        for (let i = 0; i < drawn.length; i++) of[i] = drawn[i]![group]!;
        const { value, lower, upper, tooFew } = estimateOf(of);
        return { key, value, lower, upper, ...(tooFew && { tooFew }) };
      });
      return answersOf({ ...named, rows });
    },
  };
}

/** Returns the most that one unit may contribute. @throws {RangeError} where persons are not bounded. */
export function requireBounded(action: string, { bounds }: View): ContributionBounds {
  if (bounds !== undefined) return bounds;
  throw new RangeError(
    `Cannot ${action}: what a person contributes must be bounded, as in ` +
      "table.boundContributions({ groups: 1, rows: 1 }): current value is undefined",
  );
}

/** Source of answers: an engine, and the columns that its rows must have. */
export interface Asking {
  readonly budget: Budget;
  readonly engine: Engine;
  /** All that the schema declares: one that the rows have not is refused before anything is paid. */
  readonly columns: readonly string[];
}

/** A question with its words, which a ledger keeps. */
export type Worded<Output> = Prepared<Output> & { readonly purpose: string };

/** Puts words to a question, of which its answers tell. */
export function worded(prepared: Prepared<Answers>, purpose: string): Worded<Answers> {
  return {
    ...prepared,
    purpose,
    draw: (source) => answersOf({ ...prepared.draw(source), question: purpose }),
  };
}

/** Answers privately: what the budget cannot pay for is refused before rows are read, and it pays before noise is drawn. */
export async function answer<Output>(asking: Asking, worded: Worded<Output>): Promise<Output> {
  const [output] = await answerAll(asking, [worded]);
  return output as Output;
}

/**
 * Answers several questions off one reading of the rows, and pays for all of them at once or for none. In this order: the budget is asked whether they fit, the
 * engine finds totals, the budget pays, noise is drawn. An engine that fails has spent nothing.
 */
export async function answerAll(
  { budget, engine, columns }: Asking,
  prepared: readonly Worded<unknown>[],
): Promise<unknown[]> {
  const source = new SecureSource();
  const [first, ...others] = prepared;
  if (first === undefined) return [];
  // Says why it cannot.
  if (!budget.canSpend(first.claim, first.alsoKeeps)) budget.spend(first.claim, first.alsoKeeps);
  const plans = prepared.map((each) => each.plans(source));
  const answered = await engine.run(plans.flat(), columns);
  checkFound(plans.flat(), answered);
  const found = [...answered];
  prepared.forEach(({ receive }, i) => receive(found.splice(0, plans[i]!.length)));
  const paying = others.length === 0 ? budget : {
    ...budget,
    spend: (): void =>
      budget.spendAll(prepared.map(({ claim }) => claim), {
        purposes: prepared.map(({ purpose }) => purpose),
      }),
  };
  const draw = (secure: Source): unknown[] => prepared.map((each) => each.draw(secure));
  return spendThen("answer", {
    budget: paying,
    source,
    purpose: first.purpose,
    prepare: () => ({ claim: first.claim, alsoKeeps: first.alsoKeeps, draw }),
  });
}
