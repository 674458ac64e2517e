import { type ColumnShape, drawShapes } from "./draw_shapes.ts";
import { z } from "zod";
import { brokenRule } from "../../../core/text/broken_rule.ts";
import { type Claim, claimToJSON, describeClaim } from "../../../core/claims/claim.ts";
import { requireFields } from "../../../core/numeric/require.ts";
import { Classifier } from "../erm/classifier.ts";
import { featureCount } from "../erm/files/column_description.ts";
import { columnSchema } from "../erm/files/column_schema.ts";
import { checkedRows } from "../erm/rows/checked_rows.ts";
import type { Label } from "../erm/label.ts";
import { claimFrom, type ModelJson } from "../erm/model_json.ts";
import type { Rows } from "../erm/rows/rows.ts";
import { placesOf } from "./bins.ts";

/** Parts of an additive model. */
export interface AdditiveParts {
  /** The declared classes: [negative, positive]. */
  readonly classes: readonly Label[];
  /** One shape a column, in the order of the features. */
  readonly shapes: readonly ColumnShape[];
  /** Privacy claim of the published shapes. */
  readonly claim: Claim;
  /** The claim in a sentence, with what it rests on. */
  readonly statement: string;
}

const FORMAT = "dpcheck-additive-model", VERSION = 1;

const numbers = z.array(z.number());

const schema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  statement: z.string(),
  claim: z.record(z.string(), z.unknown()),
  classes: z.array(z.union([z.string(), z.number(), z.boolean()])).length(2),
  shapes: z.array(
    z.strictObject({
      column: columnSchema,
      edges: numbers.exactOptional(),
      scores: numbers,
      halfWidths: numbers,
      counts: numbers,
    }).refine(({ column, edges }) => (column.type === "number") === (edges !== undefined), {
      message: "must have edges for numbers, and for them alone",
    }).refine(({ edges = [] }) => edges.every((edge, i) => i === 0 || edges[i - 1]! <= edge), {
      message: "must have edges that ascend",
    }).refine(({ column, edges = [], ...lists }) => {
      const bins = column.type === "number" ? edges.length + 1 : column.values.length;
      return [lists.scores, lists.halfWidths, lists.counts].every(({ length }) => length === bins);
    }, { message: "must have one score, half-width and count a bin" }),
  ).min(1),
});

/**
 * A classifier that adds up one score a column, trained privately by `fitAdditive`. Its shapes can be printed, drawn and
 * edited: whatever is done to them costs no privacy.
 *
 * A row is of the second class where the sum of its scores is at least 0.
 */
export class AdditiveModel extends Classifier {
  /** The declared classes: [negative, positive]. */
  override readonly classes: readonly Label[];
  /** One shape a column. */
  readonly shapes: readonly ColumnShape[];
  /** Privacy claim of the published shapes. */
  readonly claim: Claim;
  /** The claim in a sentence, with what it rests on. */
  readonly statement: string;

  /** Puts a model together: `new AdditiveModel({ ...model, shapes })` is one with other shapes. */
  constructor(parts: AdditiveParts) {
    super();
    requireFields("AdditiveModel", parts, { classes: "list", shapes: "list" });
    this.classes = parts.classes;
    this.shapes = parts.shapes;
    this.claim = parts.claim;
    this.statement = parts.statement;
  }

  /**
   * Reads what {@linkcode AdditiveModel.toJSON} wrote, with scores and edges as somebody may have edited them.
   *
   * @throws {TypeError} naming the field that is missing or wrong.
   */
  static fromJSON(json: unknown): AdditiveModel {
    const parsed = schema.safeParse(json);
    if (parsed.success) {
      const { claim, classes, shapes, statement } = parsed.data;
      return new AdditiveModel({ claim: claimFrom(claim), classes, shapes, statement });
    }
    const issue = parsed.error.issues[0]!;
    throw new TypeError(
      `Cannot read a model: ${issue.path.join(".") || "it"} ${brokenRule(issue)}`,
    );
  }

  /** The model as plain JSON; numbers come back to the last bit. */
  toJSON(): ModelJson {
    return {
      format: FORMAT,
      version: VERSION,
      statement: this.statement,
      claim: claimToJSON(this.claim),
      classes: this.classes,
      shapes: this.shapes,
    };
  }

  /** Is `json` that of an additive model, right or wrong? */
  static isJSON(json: unknown): boolean {
    return (json as { readonly format?: unknown } | null)?.format === FORMAT;
  }

  /**
   * The score of every row, above 0 for the second class: not a probability, for residuals are cut off.
   *
   * @param given features as `encodeTable` makes them from the columns.
   * @throws {RangeError} when rows have another number of columns than the features of the model.
   */
  override decisionValues(given: Rows): Float64Array {
    const rows = checkedRows(given), columns = this.shapes.map(({ column }) => column);
    const width = featureCount({ columns });
    if (rows.columnCount !== width) {
      throw new RangeError(
        `Cannot predict: rows must have ${width} columns: current value is ${rows.columnCount}`,
      );
    }
    const bins = this.shapes.map(({ edges, scores }) =>
      edges === undefined ? { categories: scores.length } : { edges }
    );
    const values = new Float64Array(rows.rowCount);
    placesOf(rows, { columns, bins }).forEach((places, j) => {
      const { scores } = this.shapes[j]!;
      for (let i = 0; i < values.length; i++) values[i]! += scores[places[i]!]!;
    });
    return values;
  }

  /** The shapes as text: bins, their scores, how far noise may have moved them, and about how many rows they hold. */
  override toString(): string {
    const shown = (value: number): string => value.toFixed(3);
    const blocks = this.shapes.map((shape) => {
      const lines = binNames(shape).map((name, b) => [
        `  ${name}`,
        shown(shape.scores[b]!),
        `± ${shown(shape.halfWidths[b]!)}`,
        `${Math.round(shape.counts[b]!)} rows`,
      ]);
      const widths = [0, 1, 2, 3].map((k) => Math.max(...lines.map((line) => line[k]!.length)));
      return [
        shape.column.name,
        ...lines.map((line) =>
          line.map((cell, k) => k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))
            .join("  ")
        ),
      ].join("\n");
    });
    return [...blocks, `${describeClaim(this.claim)} (${this.claim.relation.name})`].join("\n");
  }

  /** All shapes as one drawing (SVG): scores of bins, and bands that hold them without noise with a probability of 95%. */
  toSVG(): string {
    return drawShapes(this.shapes.map((shape) => ({ ...shape, names: binNames(shape) })));
  }
}

/** Names of bins: categories, or intervals that hold their lower end. */
function binNames({ column, edges = [] }: ColumnShape): readonly string[] {
  if (column.type === "category") return column.values;
  const shown = (value: number): string => String(Number(value.toPrecision(4)));
  const ends = [column.min, ...edges, column.max].map(shown);
  return ends.slice(1).map((end, b) => `${ends[b]} to ${end}`);
}
