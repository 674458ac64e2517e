import { readFile } from "node:fs/promises";
import process from "node:process";
import Papa from "papaparse";
import type { Canary } from "../../lib/judge/audit/one_run/canary.ts";
import { BadInput } from "./bad_input.ts";
import { reasonOf } from "./reason_of.ts";

/** The name that stands for standard input. */
const STANDARD_INPUT = "-";

/**
 * Reads canaries: JSON objects with `included` and `score`, one a line, where the first line begins with a brace; else CSV with a line
 * of names. Other columns and fields are not read. `included` is 0 or 1 (in JSON also a boolean), `score` a number or an infinity.
 *
 * @throws {BadInput} naming the file, the line and the rule.
 */
export async function readCanaries(file: string): Promise<Canary[]> {
  const text = (await textOf(file)).replace(/^\uFEFF/, "");
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== "");
  const canaries = lines[0]?.line.trimStart().startsWith("{")
    ? lines.map(({ line, number }) => fromJson(line, { file, number }))
    : fromCsv(lines, file);
  if (canaries.length < 2) {
    throw new BadInput(
      `${file} must hold at least 2 canaries: current value is ${canaries.length}`,
    );
  }
  return canaries;
}

/** The file and the line of a canary, for errors. */
interface Place {
  readonly file: string;
  readonly number: number;
}

async function textOf(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = file === STANDARD_INPUT ? await standardInput() : await readFile(file);
  } catch (error) {
    throw new BadInput(`${file} cannot be read: ${reasonOf(error)}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadInput(`${file} must be UTF-8 text`);
  }
}

async function standardInput(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of process.stdin) parts.push(part as Uint8Array);
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

function fromJson(line: string, place: Place): Canary {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuse(place, "it must be one JSON object");
  }
  if (typeof value !== "object" || value === null) {
    return refuse(place, "it must be one JSON object");
  }
  const { included, score } = value as Record<string, unknown>;
  return canaryOf(included, score, place);
}

function fromCsv(lines: readonly { line: string; number: number }[], file: string): Canary[] {
  const [header, ...rows] = lines;
  const text = header?.line.trimStart() ?? "";
  const names = text === "" ? [] : cellsOf(text);
  const [included, score] = ["included", "score"].map((name) => names.indexOf(name));
  if (included === -1 || score === -1 || header === undefined) {
    throw new BadInput(
      text.startsWith("[")
        ? `${file} must hold a JSON object a line, or CSV: it begins as a JSON array`
        : `${file} must begin with a line of names with commas between them, included and score among them`,
    );
  }
  for (const name of ["included", "score"]) {
    if (names.filter((each) => each === name).length > 1) {
      throw new BadInput(`${file} must name the column ${name} once: it is there more often`);
    }
  }
  return rows.map(({ line, number }) => {
    const cells = cellsOf(line), place = { file, number };
    if (cells.length !== names.length) {
      return refuse(
        place,
        `it must have ${names.length} columns: current value is ${cells.length}`,
      );
    }
    return canaryOf(cells[included!], cells[score!], place);
  });
}

function cellsOf(line: string): string[] {
  const { data } = Papa.parse(line, { delimiter: "," }) as { data: string[][] };
  return data[0]!.map((cell) => cell.trim());
}

function canaryOf(included: unknown, score: unknown, place: Place): Canary {
  const isIn = included === true || included === 1 || included === "1";
  if (!isIn && !(included === false || included === 0 || included === "0")) {
    return refuse(place, "included must be 0 or 1");
  }
  const value = numberOf(score);
  return value === undefined
    ? refuse(place, "score must be a number, inf or -inf")
    : { included: isIn, score: value };
}

function numberOf(score: unknown): number | undefined {
  if (typeof score === "number") return score;
  if (typeof score !== "string") return undefined;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(score)) return Number(score);
  const infinite = /^([+-]?)inf(inity)?$/i.exec(score);
  if (infinite === null) return undefined;
  return infinite[1] === "-" ? -Infinity : Infinity;
}

function refuse({ file, number }: Place, rule: string): never {
  throw new BadInput(`${file}, line ${number}: ${rule}`);
}
