import Papa from "papaparse";
import type { ColumnDescription } from "../../../lib/dp/learners/erm/files/column_description.ts";
import { readColumnDescription } from "../../../lib/dp/learners/erm/files/read_column_description.ts";
import {
  encodeTable,
  readLabelColumn,
  type Table,
} from "../../../lib/dp/learners/erm/files/column_encoder.ts";
import type { SparseRows } from "../../../lib/dp/learners/erm/rows/rows.ts";

/** A data set ready for training: features in [0, 1] and labels −1 or 1. */
export interface Experiment {
  readonly name: string;
  readonly rows: SparseRows;
  readonly signs: Float64Array;
}

/** Source and checksum of a file, for whoever has not got it. */
interface SourceFile {
  readonly path: string;
  readonly sha256: string;
}

const ADULT_NAMES = [
  "age",
  "workclass",
  "fnlwgt",
  "education",
  "education-num",
  "marital-status",
  "occupation",
  "relationship",
  "race",
  "sex",
  "capital-gain",
  "capital-loss",
  "hours-per-week",
  "native-country",
  "income",
];

const FILES = {
  train: {
    path: "adult/adult.data.gz",
    sha256: "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
  },
  test: {
    path: "adult/adult.test.gz",
    sha256: "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
  },
  kdd: {
    path: "kddcup99/kddcup99_70k.csv.gz",
    sha256: "72ed502be81c91f46fa3c44735851d62b046ba4fa07bb2f75f48e65c5e0d0a2b",
  },
} as const satisfies Record<string, SourceFile>;

/** Advice for someone who has no data. */
export const WHERE_TO_GET_DATA = [
  "--data DIR was not given or holds no data. The tables use:",
  `  DIR/${FILES.train.path} and DIR/${FILES.test.path}:`,
  "    adult.data and adult.test of UCI Adult (DOI 10.24432/C5XW20), gzipped; SHA-256 unzipped",
  `    ${FILES.train.sha256}`,
  `    ${FILES.test.sha256}`,
  `  DIR/${FILES.kdd.path}:`,
  "    70,000 rows of kddcup.data_10_percent of KDD Cup 1999 (DOI 10.24432/C51C7N), with a header:",
  "    those with the smallest SHA-256 of `kddcup99_70k:1:` + line number from 0; SHA-256 unzipped",
  `    ${FILES.kdd.sha256}`,
].join("\n");

/**
 * The complete rows of Adult: 30,162 of the training file, 15,060 of the test file, or all 45,222.
 *
 * @throws {Deno.errors.NotFound} when the files are not there.
 * @throws {Error} when they are not the files meant.
 */
export async function loadAdult(
  directory: string,
  { part, description }: { part: "train" | "test" | "both"; description?: ColumnDescription },
): Promise<Experiment> {
  const columns = description ?? await readDescription("adult_columns.json");
  return experiment("Adult", { table: await adultTable(directory, part), columns });
}

/** The rows of {@linkcode loadAdult} as text. */
export async function adultTable(
  directory: string,
  part: "train" | "test" | "both",
): Promise<Table> {
  const parts = part === "both" ? ["train", "test"] as const : [part];
  const rows: string[][] = [];
  for (const name of parts) {
    for (const line of (await readGzip(directory, FILES[name])).split("\n")) {
      const cells = line.split(",").map((cell) => cell.trim());
      if (cells.length !== ADULT_NAMES.length || cells.includes("?")) continue;
      // The test file ends its labels with a full stop.
      cells[14] = cells[14]!.replace(/\.$/, "");
      rows.push(cells);
    }
  }
  return { names: ADULT_NAMES, rows };
}

/** The sample of KDD Cup 1999; normal connections are the positive class. */
export async function loadKdd(directory: string): Promise<Experiment> {
  const parsed = Papa.parse<string[]>(await readGzip(directory, FILES.kdd), {
    skipEmptyLines: true,
  });
  const [names, ...rows] = parsed.data;
  const at = names!.indexOf("label");
  for (const row of rows) row[at] = row[at] === "normal." ? "normal" : "attack";
  const columns = await readDescription("kddcup99_columns.json");
  return experiment("KDDCup99", { table: { names: names!, rows }, columns });
}

/** Features and labels of a table. */
export function experiment(
  name: string,
  { table, columns }: { table: Table; columns: ColumnDescription },
): Experiment {
  const label = columns.label!;
  const labels = readLabelColumn(table, label);
  return {
    name,
    rows: encodeTable(table, columns),
    signs: Float64Array.from(labels, (each) => each === label.classes[1] ? 1 : -1),
  };
}

/** A description of columns beside this file. */
export async function readDescription(name: string): Promise<ColumnDescription> {
  const text = await Deno.readTextFile(new URL(name, import.meta.url));
  return readColumnDescription(JSON.parse(text));
}

async function readGzip(directory: string, { path, sha256 }: SourceFile): Promise<string> {
  const file = await Deno.open(`${directory}/${path}`);
  const bytes = await new Response(
    file.readable.pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== sha256) {
    throw new Error(
      `Cannot load ${path}: its SHA-256 must be ${sha256}: current value is ${found}`,
    );
  }
  return new TextDecoder().decode(bytes);
}
