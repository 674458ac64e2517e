import { requireFields } from "../../../../core/numeric/require.ts";

/**
 * Contents of the columns of a table, declared and not learned: bounds of numbers, values of categories,
 * classes of the label. Columns of the table that are not named are not used.
 */
export interface ColumnDescription {
  /** The columns that become features, in this order. */
  readonly columns: readonly (NumberColumn | CategoryColumn)[];
  /** The column of classes and the classes: for two, [negative, positive]. */
  readonly label?: LabelColumn | undefined;
  /** What stands between cells of a CSV file. Default: read off its first line. */
  readonly delimiter?: string | undefined;
}

/** Contents of a file of numbered features, such as LIBSVM's: the number of features, and the classes. */
export interface FeatureDescription {
  /** Features are numbered from 1 to this. */
  readonly features: number;
  /** The classes: for two, [negative, positive]; the name is free. */
  readonly label?: LabelColumn | undefined;
}

/** The classes of rows. */
export interface LabelColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** The classes that may occur. */
  readonly classes: readonly string[];
}

/** A column of numbers: clipped to [min, max], then scaled to [0, 1]. */
export interface NumberColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** A number. */
  readonly type: "number";
  /** Declared lower bound. */
  readonly min: number;
  /** Declared upper bound, above `min`. */
  readonly max: number;
  /** `"log"` for heavy tails: by ln(1 + x − min). Default in files: linear. */
  readonly scale: "linear" | "log";
  /** If true, synthetic rows have whole numbers in this column. */
  readonly whole?: boolean | undefined;
  /** Lower edges of the bins of synthetic rows, besides `min`: ascending, between the bounds. */
  readonly edges?: readonly number[] | undefined;
  /** The number that stands for one that is missing, or no number. Default: `min`, whose feature is 0. */
  readonly missing?: number | undefined;
}

/** A column of categories: becomes one feature a value. */
export interface CategoryColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** One of `values`. */
  readonly type: "category";
  /** The values that may occur, declared. */
  readonly values: readonly string[];
  /** Which of them stands for one that is missing. Without it, all features of such a cell are 0. */
  readonly missing?: string | undefined;
  /** Which of them stands for every value that is not declared. Without it, all features of such a cell are 0. */
  readonly unseen?: string | undefined;
}

/** Returns the number of features that the described columns make: one for each number, one for each value of a category. */
export function featureCount(options: ColumnDescription): number {
  const { columns } = requireFields("featureCount", options, { columns: "list", label: "record?" });
  return columns.reduce((sum, each) => sum + (each.type === "number" ? 1 : each.values.length), 0);
}
