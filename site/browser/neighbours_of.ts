import type { Domain, RowSpec } from "../../lib/core/relations/dataset.ts";

/** Answers to the five questions, by their names. */
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

/** Options of an audit about neighbours, with what is to be known about them. */
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

/** The answers that lead to a relation and rows, where the five questions can say them. */
export function answersOf(
  { relation, rows, size }: Omit<Neighbours, "notes">,
): Partial<Answers> | undefined {
  const change = /^change-(each|together|one)-by-(.+)$/.exec(relation);
  const of = rows.type === "vector" ? rows.of : rows;
  const kinds: readonly string[] = ["number", "integer", "boolean", "category", "vector"];
  if (!kinds.includes(rows.type) || rows.type === "vector" && of.type !== "number") {
    return undefined;
  }
  if (change === null && relation !== "add-remove-one" && relation !== "replace-one") {
    return undefined;
  }
  return {
    kind: rows.type,
    ...(change === null
      ? { given: "rows", hidden: relation === "replace-one" ? "value" : "presence" }
      : { given: "answers", moves: change[1]!, by: change[2]! }),
    ...("min" in of && "max" in of ? { min: String(of.min), max: String(of.max) } : {}),
    ...("values" in of ? { names: of.values.join(", ") } : {}),
    ...(rows.type === "vector" ? { length: String(rows.length) } : {}),
    ...(size.min === size.max
      ? { count: "fixed", fixed: String(size.min) }
      : { count: size.min === 0 ? "any" : "some" }),
  };
}

/** Relation, rows and size in a sentence. */
export function neighboursInWords({ relation, rows, size }: Omit<Neighbours, "notes">): string {
  const change = /^change-(each|together|one)-by-(.+)$/.exec(relation);
  const noun = change === null ? "row" : "answer";
  const many = size.min === size.max
    ? `${size.min} ${noun}${size.min === 1 ? "" : "s"}`
    : `${size.min} to ${size.max} ${noun}s`;
  const differ = relation === "add-remove-one"
    ? "one of which is there or not"
    : relation === "replace-one"
    ? "one of which says something else"
    : change === null
    ? `with neighbours by ${relation}`
    : {
      each: `each of which one person changes by at most ${change[2]}`,
      together: `all of which one person moves in one direction, by at most ${change[2]}`,
      one: `one of which a person changes, by at most ${change[2]}`,
    }[change[1] as "each" | "together" | "one"];
  return `${many}: ${rowInWords(rows)}, ${differ}.`;
}

function rowInWords(rows: RowSpec): string {
  switch (rows.type) {
    case "number":
      return `numbers from ${rows.min} to ${rows.max}`;
    case "integer":
      return `whole numbers from ${rows.min} to ${rows.max}`;
    case "boolean":
      return "yes or no";
    case "category":
      return `one of ${rows.values.join(", ")}`;
    case "vector":
      return `lists of ${rows.length} values`;
    default:
      return `values of the type ${rows.type}`;
  }
}
