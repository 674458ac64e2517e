import type { Domain, RowSpec } from "../../lib/core/relations/dataset.ts";

/** What the five questions were answered with, by their names. */
export type Answers = Readonly<
  Record<
    | "given"
    | "hidden"
    | "moves"
    | "by"
    | "often"
    | "kind"
    | "min"
    | "max"
    | "names"
    | "length"
    | "count"
    | "fixed",
    string
  >
>;

/** What an audit is told of neighbours, and what is to be known about it. */
export interface Neighbours extends Domain {
  readonly relation: string;
  readonly notes: readonly string[];
}

/** Rows up to which a search has found most leaks: small datasets show them best. */
const MOST_ROWS = 5;

/**
 * The neighbours that some answers mean.
 *
 * @throws {RangeError} naming the answer that makes no sense.
 */
export function neighboursOf(answers: Answers): Neighbours {
  const { given, hidden, moves, often, kind, count } = answers;
  const notes: string[] = [];
  const number = (name: "by" | "min" | "max" | "length" | "fixed"): number => {
    const value = Number(answers[name].trim() || NaN);
    if (!Number.isFinite(value)) {
      throw new RangeError(`Write a number in place of "${answers[name]}".`);
    }
    return value;
  };
  const whole = (name: "length" | "fixed"): number => {
    const value = number(name);
    if (!(Number.isInteger(value) && value >= 1)) {
      throw new RangeError(`Write a whole number from 1 in place of ${value}.`);
    }
    return value;
  };
  let relation: string;
  if (given === "answers") {
    if (kind !== "number" && kind !== "integer") {
      throw new RangeError("Answers to queries are numbers: choose a number in question 4.");
    }
    if (!(number("by") > 0)) throw new RangeError("The sensitivity must be above 0.");
    relation = `change-${moves}-by-${number("by")}`;
    notes.push(
      "The sensitivity is taken on your word: an audit of the whole program, rows and all, tests it too.",
    );
  } else {
    relation = hidden === "presence" ? "add-remove-one" : "replace-one";
    notes.push(
      hidden === "presence"
        ? "The number of rows is hidden as well: noise must not depend on it, and no error may tell it."
        : "A claim under add-remove-one gives one of twice its ε here, and none follows the other way round.",
    );
    if (often === "many") {
      notes.push(
        "A claim about one row is no claim about a person with k rows: for k rows ε is k times as large. Let one row hold all that one person gives, or bound k and divide ε by it.",
      );
    }
  }
  const size = count === "fixed"
    ? { min: whole("fixed"), max: whole("fixed") }
    : { min: count === "any" ? 0 : 1, max: MOST_ROWS };
  if (relation === "add-remove-one" && size.min === size.max) {
    throw new RangeError(
      "Where rows come or go their number cannot be fixed: choose another answer in question 2 or 5.",
    );
  }
  if (size.max > MOST_ROWS) {
    notes.push(
      "Large datasets are searched slowly: audit a smaller number too, if the function takes it.",
    );
  }
  return { relation, rows: rowOf(answers, { number, whole }), size, notes };
}

function rowOf(
  { kind, names }: Answers,
  { number, whole }: {
    readonly number: (name: "min" | "max") => number;
    readonly whole: (name: "length") => number;
  },
): RowSpec {
  if (kind === "boolean") return { type: kind };
  if (kind === "category") {
    const values = [...new Set(names.split(",").map((name) => name.trim()).filter(Boolean))];
    if (values.length < 2) {
      throw new RangeError("Write two names at least, with commas between them.");
    }
    return { type: kind, values };
  }
  const min = number("min"), max = number("max");
  if (!(min < max)) throw new RangeError("The first number must be below the second.");
  if (kind === "integer") return { type: kind, min: Math.ceil(min), max: Math.floor(max) };
  const one = { type: "number", min, max } as const;
  return kind === "vector" ? { type: kind, length: whole("length"), of: one } : one;
}
