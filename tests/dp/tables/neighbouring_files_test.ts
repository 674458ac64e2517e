import { assert, assertEquals } from "@std/assert";
import { visitEncodedRows } from "../../../cli/options/visit_encoded_rows.ts";
import { visitTable } from "../../../cli/options/visit_table.ts";
import { readColumnDescription } from "../../../lib/dp/learners/erm/files/read_column_description.ts";
import { tableCoder } from "../../../lib/dp/learners/synthetic/table_coder.ts";
import { randomInteger } from "../../../lib/core/random/random_integer.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { fileLines } from "../../../lib/dp/tables/file_lines.ts";
import { csvRows } from "../../../lib/dp/tables/mod.ts";

/** Reads a file as a list of rows. */
type Read = (file: string) => Promise<unknown[]>;

const description = readColumnDescription({
  columns: [
    { name: "age", type: "number", min: 0, max: 99 },
    { name: "sex", type: "category", values: ["f", "m"], unseen: "m" },
  ],
  label: { name: "buys", classes: ["no", "yes"] },
});
const coder = tableCoder(description, { bins: 3 });

/** Rows of a learner as numbers, and their labels. */
const encoded = (given: Parameters<typeof visitEncodedRows>[1]): Read => async (file) => {
  const read: unknown[] = [];
  await visitEncodedRows({ option: "--data", file }, given, (rows, labels) => {
    if (rows.kind !== "sparse") throw new Error("rows are sparse as they are read");
    labels.forEach((label, i) => {
      const [from, to] = [rows.offsets[i]!, rows.offsets[i + 1]!];
      read.push([label, [...rows.columns.slice(from, to)], [...rows.values.slice(from, to)]]);
    });
  });
  return read;
};

const HEADER = "age,sex,buys";

/** Every reader of rows that a claim is about, with the first line of a file and what ends lines. */
const READERS: Readonly<Record<string, { head: string; end: string; read: Read }>> = {
  "csvRows()": {
    head: HEADER,
    end: "\n",
    read: (file) => Array.fromAsync(csvRows(file)),
  },
  "csvRows() of lines that end as on Windows": {
    head: `\ufeff${HEADER}`,
    end: "\r\n",
    read: (file) => Array.fromAsync(csvRows(file)),
  },
  "csvRows() of one column": {
    head: "age",
    end: "\n",
    read: (file) => Array.fromAsync(csvRows(file)),
  },
  "csvRows() with semicolons": {
    head: "age; sex; buys; __proto__; constructor",
    end: "\n",
    read: (file) => Array.fromAsync(csvRows(file)),
  },
  "dpcheck train and predict": {
    head: HEADER,
    end: "\n",
    read: encoded({ description, label: description.label }),
  },
  "dpcheck synthesize": {
    head: HEADER,
    end: "\n",
    read: async (file) => {
      const read: unknown[] = [];
      await visitTable({ option: "--data", file }, (part) => {
        read.push(...coder.encode(part));
      });
      return read;
    },
  },
  "lines of features": {
    head: "# features",
    end: "\n",
    read: encoded({
      description: { features: 5 },
      label: { name: "y", classes: ["-1", "+1"] },
    }),
  },
  "fileLines() with short lines": {
    head: "",
    end: "\n",
    read: async (file) => (await Array.fromAsync(fileLines(file, { longest: 40 }))).flat().slice(1),
  },
};

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

/** What hostile lines are made of; bytes that are no UTF-8 among them. */
const TOKENS: readonly (readonly number[])[] = [
  ...['"', '""', '"', ",", ",", ";", "\t", "|", "\0", "\ufeff", "\u2028", "\u0085", " ", "#", "'"],
  ...[
    "31",
    "f",
    "m",
    "yes",
    "no",
    "-1",
    "+1 ",
    "1:2 ",
    "3:-7 ",
    "2:NaN ",
    "9:1 ",
    ":",
    "x".repeat(50),
  ],
  ...["NaN", "Infinity", "-1e999", "1e-999", "0x10", "__proto__", "constructor", "é", "🙂", "\r"],
].map(bytesOf).concat([[0xe2], [0xf0, 0x9f], [0xc0], [0xff, 0xfe], [0x80], [0xed, 0xa0, 0x80]]);

const source = new SeededSource("neighbouring files");
const below = (most: number): number => randomInteger(source, { below: most });

/** A line without what ends lines in it. */
function hostile(end: string): number[] {
  const length = below(4) === 0 ? 0 : below(9);
  const line = Array.from({ length }, () => TOKENS[below(TOKENS.length)]!).flat();
  if (below(4) === 0) line.unshift(...bytesOf("\ufeff"));
  // A line feed is a part of lines that end in two bytes.
  if (end === "\r\n" && below(3) === 0) line.splice(below(line.length + 1), 0, 10);
  return line.filter((byte, i) => byte !== 10 || line[i - 1] !== 13);
}

/** A line of accents behind which, or in the middle of whose end, the first piece of a file ends that is read at once. */
function longLine(head: string, end: string, piece: number): number[] {
  const length = piece - 1 - bytesOf(head).length - end.length;
  return bytesOf("7,x".slice(0, 2 + length % 2) + "é".repeat((length - 2) >> 1));
}

/** Of these, files are made. */
const LINES = 24, FILES = 80;

// Mutants: quotes that go on in the next line; what separates cells or ends lines read off rows; text decoded piece by piece; a cell that stops reading; a byte that takes
// the line feed behind it; a mark of byte order dropped at the beginning of pieces; a line that is too long joined to the next.
for (const [name, { head, end, read }] of Object.entries(READERS)) {
  Deno.test(`${name}: a line is read by itself, whatever the other lines of a file are`, async () => {
    const file = await Deno.makeTempFile();
    const piece = name.includes("ines") && !name.startsWith("csvRows") ? 2 ** 16 : 2 ** 18;
    const rowsOf = async (lines: readonly Uint8Array<ArrayBuffer>[]): Promise<unknown[]> => {
      await Deno.writeFile(file, await new Blob([head, end, ...lines]).bytes());
      return await read(file);
    };
    try {
      const lines: Uint8Array<ArrayBuffer>[] = [], alone: unknown[][] = [];
      for (let i = 0; i < LINES; i++) {
        const line = i === LINES - 1 ? longLine(head, end, piece) : hostile(end);
        lines.push(Uint8Array.from([...line, ...bytesOf(end)]));
        alone.push(await rowsOf([lines[i]!]));
        assert(alone[i]!.length <= 1);
      }
      for (let i = 0; i < FILES; i++) {
        const places = Array.from({ length: below(8) }, () => below(LINES));
        if (i % 4 < 2) places.splice(i % 4, 0, LINES - 1);
        assertEquals(
          await rowsOf(places.map((place) => lines[place]!)),
          places.flatMap((place) => alone[place]!),
        );
      }
    } finally {
      await Deno.remove(file);
    }
  });
}
