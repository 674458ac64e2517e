/**
 * A text for an output, the same for equal outputs only: NaN, the infinities and −0 are told apart, lists from typed arrays.
 *
 * @throws {TypeError} for an output with functions, promises or objects of classes in it.
 */
export function outputKey(output: unknown): string {
  switch (typeof output) {
    case "number":
      return Object.is(output, -0) ? "-0" : String(output);
    case "boolean":
    case "undefined":
      return String(output);
    case "bigint":
      return `${output}n`;
    case "string":
      return JSON.stringify(output);
    case "object":
      return objectKey(output);
    default:
      throw new TypeError(
        `Cannot compare outputs: they must be values that JSON can hold: current one is a ${typeof output}`,
      );
  }
}

function objectKey(output: object | null): string {
  if (output === null) return "null";
  if (Array.isArray(output)) return `[${output.map(outputKey).join(",")}]`;
  if (ArrayBuffer.isView(output) && !(output instanceof DataView)) {
    const values = Array.from(output as unknown as ArrayLike<unknown>, outputKey);
    return `${output.constructor.name}[${values.join(",")}]`;
  }
  if (output instanceof Error) return `error ${JSON.stringify(output.message)}`;
  const prototype = Object.getPrototypeOf(output);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(
      `Cannot compare outputs: they must be values that JSON can hold: current one is a ${
        output.constructor?.name ?? "class"
      }`,
    );
  }
  const entries = Object.entries(output).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${
    entries.map(([key, value]) => `${JSON.stringify(key)}:${outputKey(value)}`).join(",")
  }}`;
}
