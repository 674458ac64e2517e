import { open } from "node:fs/promises";
import type { AsyncBuffer, ParquetParsers } from "hyparquet";
import { requireKind } from "../../core/numeric/require.ts";
import type { Row } from "../schema/cells.ts";
import type { FileRows } from "./rows.ts";

/** Some rows of a Parquet file in their order. */
export interface ParquetPart {
  /** The names of the columns, from the file's schema. */
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

/**
 * The rows of a Parquet file: `table(parquetRows("survey.parquet"), schema)` reads it anew for each question, a group of rows at a time. Whole numbers of
 * 64 bits are read as the nearest double; cells that are dates, lists, records, variants, JSON or shapes count as missing.
 *
 * @throws {Error} when it is read: of the file system, or of what the file holds where it is no Parquet file.
 *
 * @example
 * ```ts
 * import { parquetRows } from "./parquet_rows.ts";
 * const rows = parquetRows("survey.parquet");
 * ```
 */
export function parquetRows(file: string): FileRows {
  requireKind("parquetRows", "file", file, "text");
  return {
    async columns(): Promise<readonly string[]> {
      for await (const { names } of parquetParts(file)) return names;
      return [];
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
      for await (const { rows } of parquetParts(file)) yield* rows;
    },
  };
}

/** The rows of a Parquet file by their groups, one group in memory at a time; at least one part. */
export async function* parquetParts(file: string): AsyncGenerator<ParquetPart> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet");
  // What a cell holds is never an error: JSON may be none, and bytes no shape.
  const missing = (): undefined => undefined;
  const parsers: Partial<ParquetParsers> = {
    jsonFromBytes: missing,
    geometryFromBytes: missing,
    geographyFromBytes: missing,
  };
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const buffer: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size): Promise<ArrayBuffer> {
        const bytes = new Uint8Array(Math.max(0, end - start));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
        return bytes.buffer.slice(0, bytesRead);
      },
    };
    const metadata = await parquetMetadataAsync(buffer);
    const { children } = parquetSchema(metadata);
    const names = children.map(({ element }) => element.name);
    const columns = children.filter(({ element }) => element.logical_type?.type !== "VARIANT")
      .map(({ element }) => element.name);
    let rowStart = 0;
    yield { names, rows: [] };
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count);
      yield {
        names,
        rows: await parquetReadObjects({
          file: buffer,
          metadata,
          columns,
          rowStart,
          rowEnd,
          parsers,
        }),
      };
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}
