import { bareJson, parseBareJson } from "../../../core/text/bare_json.ts";
import type { OutputParts } from "../output_parts.ts";

/** A place of a number in a shape, or a text in it. */
const NUMBER_OR_TEXT = /"(?:[^"\\]|\\.)*"|#/g;

/** Returns an output with these numbers: as JSON where it can be, else as a text. */
export function writtenOutput(
  { shape, numbers: own }: OutputParts,
  numbers: readonly number[] = own,
): unknown {
  let next = 0;
  const text = shape.replace(
    NUMBER_OR_TEXT,
    (part) => part === "#" ? bareJson(numbers[next++])! : part,
  );
  try {
    return parseBareJson(text);
  } catch {
    return text;
  }
}
