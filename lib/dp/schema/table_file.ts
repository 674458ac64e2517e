import { z } from "zod";
import { brokenRule } from "../../core/text/broken_rule.ts";
import { closestName } from "../../core/text/closest_name.ts";
import { checkColumn, type Column } from "./column.ts";

/** A schema: public knowledge of a table, as a JSON file says it. One file serves questions, training, prediction, synthetic rows and audits. */
export interface TableFile {
  /** The columns by name, in the order in which they become features. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The unit of privacy: a row or a person. Default in questions: must be given. */
  readonly unit?: "row" | { readonly person: string };
  /** The largest number of groups of a person, and of rows in each. */
  readonly contributions?: { readonly groups: number; readonly rows: number };
  /** Name of the relation. */
  readonly relation?: "add-remove-one" | "replace-one";
  /** The budget of all answers together. */
  readonly limit?: {
    readonly epsilon?: number | string;
    readonly delta?: number | string;
    readonly rho?: number | string;
  };
  /** Of training: the column of classes, a category: for two values, [negative, positive]. */
  readonly label?: string;
  /** What stands between cells of a CSV file. */
  readonly delimiter?: string;
}

const value = z.union([z.string(), z.number(), z.boolean()]);
const amount = z.union([z.number().positive(), z.string()]);

const numberColumn = z.strictObject({
  type: z.literal("number"),
  lower: z.number().meta({
    description: "Numbers below it count as it. Not to be taken from the data.",
  }),
  upper: z.number().meta({ description: "Numbers above it count as it." }),
  step: z.number().positive().exactOptional().meta(
    { description: "What all numbers are multiples of, as 1 where they are whole." },
  ),
  missing: z.number().exactOptional().meta(
    {
      description:
        "What a cell counts as that is missing or no number. Default: its row is left out.",
    },
  ),
  scale: z.enum(["linear", "log"]).exactOptional().meta(
    { description: "For training and synthetic rows: log for heavy tails." },
  ),
  edges: z.array(z.number()).exactOptional().meta(
    { description: "For synthetic rows: lower edges of bins, besides lower." },
  ),
});

const dateColumn = z.strictObject({
  type: z.literal("date"),
  lower: z.string().meta({ description: 'Earlier days count as it, as in "2020-01-01".' }),
  upper: z.string().meta({ description: "Later days count as it." }),
  missing: z.string().exactOptional(),
});

const categoryColumn = z.strictObject({
  type: z.literal("category"),
  values: z.array(value).min(1).meta({
    description: "All public values. Not to be taken from the data.",
  }),
  missing: value.exactOptional().meta(
    { description: "The value that stands for a missing cell. Default: it is in no group." },
  ),
  unseen: value.exactOptional().meta(
    { description: "The value that stands for all others. Default: they are in no group." },
  ),
});

const textColumn = z.strictObject({ type: z.literal("text") });

const tableFile = z.strictObject({
  $schema: z.string().exactOptional(),
  columns: z.record(
    z.string(),
    z.discriminatedUnion("type", [numberColumn, dateColumn, categoryColumn, textColumn]),
  ).meta({ description: "The columns by name." }),
  unit: z.union([z.literal("row"), z.strictObject({ person: z.string().min(1) })]).exactOptional()
    .meta({
      description: "What is protected: a row, or all rows of a person, whom a column names.",
    }),
  contributions: z.strictObject({ groups: z.int().min(1), rows: z.int().min(1) }).exactOptional()
    .meta({ description: "Of persons: groups in which one counts, and rows in each." }),
  relation: z.enum(["add-remove-one", "replace-one"]).exactOptional().meta(
    { description: "Whether the presence of a unit is hidden, or what it holds." },
  ),
  limit: z.strictObject({
    epsilon: amount.exactOptional(),
    delta: amount.exactOptional(),
    rho: amount.exactOptional(),
  }).exactOptional().meta({ description: "What all answers together may lose." }),
  label: z.string().min(1).exactOptional().meta(
    { description: "Of training: the column of classes; of two values the second is positive." },
  ),
  delimiter: z.string().exactOptional().meta(
    { description: "What stands between cells of a CSV file. Default: read off its first line." },
  ),
}).meta({
  title: "What is public of a table",
  description: "For dpcheck ask, train, predict, synthesize, init and audit --rows.",
});

/** The JSON Schema of a table file, for editors. */
export function tableFileJsonSchema(): object {
  return z.toJSONSchema(tableFile);
}

/** Returns true if a description of columns is written in the words of {@linkcode TableFile}: columns by name. */
export function isTableFile(json: unknown): boolean {
  const columns = (json as { readonly columns?: unknown } | null)?.columns;
  return typeof columns === "object" && columns !== null && !Array.isArray(columns);
}

/**
 * Checks what a JSON file says of a table.
 *
 * @throws {TypeError} naming the part that is wrong; {@linkcode RangeError} of a column.
 *
 * @example
 * ```ts
 * import { readTableFile } from "./table_file.ts";
 * readTableFile({ columns: { age: { type: "number", lower: 0, upper: 100, step: 1 } }, unit: "row" });
 * ```
 */
export function readTableFile(json: unknown): TableFile {
  // Zod would leave it out.
  if (isTableFile(json) && Object.hasOwn((json as TableFile).columns, "__proto__")) {
    throw new TypeError("Cannot read the schema: no column may be named __proto__");
  }
  const parsed = tableFile.safeParse(json, { reportInput: true });
  if (!parsed.success) throw refusalOf(parsed.error.issues[0]!, json);
  const { $schema: _, ...file } = parsed.data;
  const columns = Object.fromEntries(
    Object.entries(file.columns).map((
      [name, column],
    ) => [name, checkColumn(name, column as Column)]),
  );
  const checked = { ...file, columns } as TableFile;
  const { unit, label } = checked;
  const labelled = label === undefined
    ? undefined
    : Object.hasOwn(columns, label) && columns[label];
  if (label !== undefined && (!labelled || labelled.type !== "category")) {
    throw new TypeError(
      `Cannot read the schema: label must be a column of type "category": current value is ${label}`,
    );
  }
  if (checked.contributions !== undefined && (unit === "row" || unit === undefined)) {
    throw new TypeError(
      'Cannot read the schema: contributions must go with unit {"person": …}: current unit is "row"',
    );
  }
  return checked;
}

type Issue = z.core.$ZodIssue;

function refusalOf(issue: Issue, json: unknown): TypeError {
  const place = issue.path.join(".") || "it";
  const [first, name] = issue.path;
  if (
    first === "columns" && typeof name === "string" && name in Object((json as TableFile).columns)
  ) {
    // The check of the column itself knows the word that is meant.
    try {
      checkColumn(name, (json as TableFile).columns[name]!);
    } catch (error) {
      return error as TypeError;
    }
  }
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return new TypeError(
      `Cannot read the schema: ${place} has an unknown field ${key}${
        closestName(key, Object.keys(tableFile.shape))
      }`,
    );
  }
  return new TypeError(`Cannot read the schema: ${place} ${brokenRule(issue)}`);
}
