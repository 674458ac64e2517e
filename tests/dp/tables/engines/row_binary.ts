import type { Row } from "../../../../lib/dp/schema/cells.ts";

/** A column that may lack cells. */
export interface BinaryColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "double" | "boolean" | "date";
}

const encoder = new TextEncoder();

/** Rows as ClickHouse reads them to the last bit: it reads few doubles so that are written in digits. */
export function rowBinary(
  rows: readonly Row[],
  columns: readonly BinaryColumn[],
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [], view = new DataView(new ArrayBuffer(8));
  const word = (): void => {
    for (let i = 0; i < 8; i++) bytes.push(view.getUint8(i));
  };
  for (const row of rows) {
    for (const { name, type } of columns) {
      const cell = row[name] ?? null;
      bytes.push(cell === null ? 1 : 0);
      if (cell === null) continue;
      if (type === "boolean") bytes.push(cell === true ? 1 : 0);
      else if (type === "double") {
        view.setFloat64(0, Number(cell), true);
        word();
      } else if (type === "integer") {
        view.setBigInt64(0, BigInt(cell as number), true);
        word();
      } else {
        const text = encoder.encode(String(cell));
        let { length } = text;
        for (; length > 127; length >>>= 7) bytes.push((length & 127) | 128);
        bytes.push(length, ...text);
      }
    }
  }
  return Uint8Array.from(bytes);
}
