import { readFile } from "node:fs/promises";
import { BadInput } from "./bad_input.ts";
import { withoutByteOrderMark } from "./byte_order_mark.ts";
import { reasonOf } from "./reason_of.ts";

/** Reads a JSON file that an option names. @throws {BadInput} when it cannot be read or is not JSON. */
export async function readJsonFile(option: string, file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new BadInput(`${option} ${file} cannot be read: ${reasonOf(error)}`);
  }
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    throw new BadInput(`${option} ${file} must be JSON`);
  }
}
