import { open } from "node:fs/promises";
import type { AsyncBuffer, ParquetParsers } from "hyparquet";
import { requireKind } from "../../core/numeric/require.ts";
import type { Row } from "../schema/cells.ts";
import { type Batch, batchOfColumns } from "./engine/batch.ts";
import { exactCells, withoutDecimals } from "./parquet_cells.ts";
import type { FileRows } from "./rows.ts";
import { textOfBytes } from "./text_of_bytes.ts";

/** Some rows of a Parquet file in their order. */
export interface ParquetPart {
  /** The names of the columns, from the file's schema. */
  readonly names: readonly string[];
  readonly size: number;
  /** The cells of the columns that were asked for and are there. */
  readonly columns: ReadonlyMap<string, ArrayLike<unknown>>;
}

/**
 * The rows of a Parquet file: `table(parquetRows("survey.parquet"), schema)` reads it anew for each question, a group of rows at a time. Whole numbers of
 * 64 bits, decimals and texts keep all of their digits and letters, so that two persons never fall together; cells that are dates, lists, records, variants, JSON,
 * shapes, or bytes that are no UTF-8 count as missing.
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
      for await (const { names } of parquetParts(file, [])) return names;
      return [];
    },
    async *batches(names): AsyncGenerator<Batch> {
      for await (const { size, columns } of parquetParts(file, names)) {
        yield batchOfColumns(size, columns);
      }
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
      for await (const { size, columns } of parquetParts(file)) {
        for (let row = 0; row < size; row++) {
          yield Object.fromEntries(Array.from(columns, ([name, cells]) => [name, cells[row]]));
        }
      }
    },
  };
}

/** The rows of a Parquet file by their groups, one group in memory at a time; at least one part.
 *
 * @param wanted which columns are read, all where it is left out.
 */
export async function* parquetParts(
  file: string,
  wanted?: readonly string[],
): AsyncGenerator<ParquetPart> {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import("hyparquet");
  // What a cell holds is never an error: JSON may be none, and bytes no shape.
  const missing = (): undefined => undefined;
  const parsers: Partial<ParquetParsers> = {
    jsonFromBytes: missing,
    geometryFromBytes: missing,
    geographyFromBytes: missing,
    stringFromBytes: (bytes) => bytes && textOfBytes(bytes) as string,
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
    const found = await parquetMetadataAsync(buffer);
    const { children } = parquetSchema(found);
    const elements = new Map(children.map(({ element }) => [element.name, element]));
    const names = [...elements.keys()];
    if (names.length < children.length) {
      throw new RangeError(`Cannot read ${file}: names must all be different among its columns`);
    }
    const metadata = { ...found, schema: withoutDecimals(found.schema) };
    const columns = children.filter(({ element }) => element.logical_type?.type !== "VARIANT")
      .map(({ element }) => element.name).filter((name) => wanted?.includes(name) ?? true);
    let rowStart = 0;
    yield { names, size: 0, columns: new Map() };
    for (const { num_rows: count } of metadata.row_groups) {
      const size = Number(count), rowEnd = rowStart + size, from = rowStart;
      const cells = new Map<string, ArrayLike<unknown>>();
      if (columns.length > 0 && size > 0) {
        await parquetRead({
          file: buffer,
          metadata,
          columns,
          rowStart,
          rowEnd,
          parsers,
          utf8: false,
          onChunk({ columnName, columnData, rowStart: at }): void {
            const element = elements.get(columnName);
            const exact = element === undefined ? columnData : exactCells(element, columnData);
            if (exact.length === size) return void cells.set(columnName, exact);
            const whole = (cells.get(columnName) ?? new Array(size)) as unknown[];
            for (let i = 0; i < exact.length; i++) whole[at - from + i] = exact[i];
            cells.set(columnName, whole);
          },
        });
      }
      yield { names, size, columns: cells };
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}
