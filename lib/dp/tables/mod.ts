/**
 * Tables: counts, sums, means, variances and histograms by group, under one budget, with intervals from the law of the noise.
 *
 * @module
 */
export type { DistinctOptions } from "./distinct.ts";
export type { QuantileOptions } from "./quantiles.ts";
export type { SelectionRule } from "./select_keys.ts";
export type { JoinOptions } from "./join.ts";
export { type GroupOptions, type Groups, type Table, table } from "./table.ts";
export type { TableLimit, TableSchema } from "./schema.ts";
export type {
  CategoryColumn,
  Column,
  DateColumn,
  NumberColumn,
  TextColumn,
} from "../schema/column.ts";
export { readTableFile, type TableFile } from "../schema/table_file.ts";
export type { Row } from "../schema/cells.ts";
export type { FileRows, RowSource } from "./rows.ts";
export type { ContributionBounds } from "./sensitivity.ts";
export type { Cost } from "./noise.ts";
export type { Answer, Answers } from "./result.ts";
export { type CsvOptions, csvRows } from "./csv_rows.ts";
export { parquetRows } from "./parquet_rows.ts";
export {
  duckdb,
  type DuckDBAppenderLike,
  type DuckDBConnectionLike,
  type DuckDBOptions,
} from "./engine/duckdb.ts";
export { clickhouse, type ClickhouseOptions } from "./engine/clickhouse.ts";
export { postgres, type PostgresOptions } from "./engine/postgres.ts";
export { foundOfRows, type SqlOptions, toSQL } from "./engine/to_sql.ts";
export type { SqlType } from "./engine/dialect.ts";
export type { Engine, Found, Plan } from "./engine/plan.ts";
export type { Question } from "./question.ts";
export type { Bins } from "./keys.ts";
export { personRelation } from "./person_relation.ts";
