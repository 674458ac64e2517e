import { open } from "node:fs/promises";
import type { AsyncBuffer } from "hyparquet";
import type { Row } from "./cells.ts";

/**
 * The rows of a Parquet file: `table(() => parquetRows("survey.parquet"), schema)` reads it anew for each question, a group of rows at a time. Whole numbers of
 * 64 bits are read as the nearest double; cells that are dates, lists or records count as missing.
 *
 * @throws {Error} of the file system, or of what the file holds where it is no Parquet file.
 *
 * @example
 * ```ts
 * import { parquetRows } from "./parquet_rows.ts";
 * const rows = (): AsyncIterable<Record<string, unknown>> => parquetRows("survey.parquet");
 * ```
 */
export async function* parquetRows(file: string): AsyncGenerator<Row> {
  for await (const group of parquetGroups(file)) yield* group;
}

/** The groups of rows of a Parquet file, one in memory at a time. */
export async function* parquetGroups(file: string): AsyncGenerator<readonly Row[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
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
    let rowStart = 0;
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count);
      yield await parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd });
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}
