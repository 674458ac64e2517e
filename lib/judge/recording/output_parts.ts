import { Seen } from "../audit/subjects/seen.ts";
import { Thrown } from "../audit/kernel/subject.ts";

/** An output as its numbers, in order, and a text of the rest: kinds, keys, lengths, texts and errors. */
export interface OutputParts {
  readonly shape: string;
  readonly numbers: readonly number[];
}

/** Takes an output apart: one of a program, or what `seenOutput` makes of one. */
export function outputParts(output: unknown): OutputParts {
  const numbers: number[] = [];
  const shapeOf = (value: unknown): string => {
    if (typeof value === "number") {
      numbers.push(value);
      return "#";
    }
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value !== "object" || value === null) return String(value);
    if (value instanceof Thrown) {
      return `error ${JSON.stringify(value.message)} ${shapeOf(value.seen)}`;
    }
    if (value instanceof Seen) return `${value.form} ${shapeOf(value.parts)}`;
    if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
    if (ArrayBuffer.isView(value)) return shapeOf(Array.from(value as Float64Array));
    const fields = Object.entries(value).map(([key, own]) =>
      `${JSON.stringify(key)}:${shapeOf(own)}`
    );
    return `{${fields.join()}}`;
  };
  const shape = shapeOf(output);
  return { shape, numbers };
}
