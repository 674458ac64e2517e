import { jsonOf } from "./json_of.ts";
import { PURE } from "./natives.ts";
import { BINARY, UNARY } from "./operators.ts";
import { isTraced, operationOf, type Traced } from "./traced.ts";

const named = new Map([...PURE].map(([f, name]) => [name, f]));
/** Functions that need their object. */
const constructors: ReadonlyMap<string, new (values: unknown[]) => ArrayLike<unknown>> = new Map(
  [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ].map((C) => [C.name, C as unknown as new (values: unknown[]) => ArrayLike<unknown>]),
);

/**
 * Computes a followed value again with other values where it comes from, on the same path of the program.
 *
 * @param value what is computed again; anything else is returned as it is.
 * @param leafOf the value of what has no operation of a program: what the caller made by `traced`. `undefined` for other operations.
 */
export function recompute(
  value: unknown,
  leafOf: (value: Traced) => { readonly value: unknown } | undefined,
  known: Map<Traced, unknown> = new Map(),
): unknown {
  if (!isTraced(value)) return value;
  if (known.has(value)) return known.get(value);
  // Long sums are deep: operands are computed first, without recursion.
  const stack: Traced[] = [value];
  while (stack.length > 0) {
    const each = stack.at(-1)!;
    if (known.has(each)) {
      stack.pop();
      continue;
    }
    const leaf = leafOf(each);
    if (leaf !== undefined) {
      known.set(each, leaf.value);
      stack.pop();
      continue;
    }
    const { op, operands } = operationOf(each);
    const missing = operands.filter((operand): operand is Traced =>
      isTraced(operand) && !known.has(operand)
    );
    if (missing.length > 0) {
      stack.push(...missing);
      continue;
    }
    known.set(
      each,
      done(op, operands.map((operand) => isTraced(operand) ? known.get(operand) : operand), known),
    );
    stack.pop();
  }
  return known.get(value);
}

function done(op: string, values: unknown[], known: ReadonlyMap<Traced, unknown>): unknown {
  const binary = BINARY[op];
  if (binary !== undefined) return binary(...values);
  const pure = named.get(op);
  if (pure !== undefined) return pure(...values);
  if (op.startsWith("unary ")) return UNARY[op.slice("unary ".length)]!(values[0]);
  if (op.startsWith("property ")) {
    return (Object(values[0]) as Record<string, unknown>)[op.slice("property ".length)];
  }
  if (op.startsWith("stored in ")) {
    return new (constructors.get(op.slice("stored in ".length))!)([values[0]])[0];
  }
  if (op === "JSON") {
    const [template, marks] = values.slice(-2) as [string, ReadonlyMap<string, Traced>];
    return jsonOf(template, (mark) => known.get(marks.get(mark)!));
  }
  if (op === "RegExp.test") return (values[0] as RegExp).test(String(values[1]));
  const method = (Object(values[0]) as Record<string, unknown>)[op.split(".")[1]!];
  return (method as (this: unknown, ...args: unknown[]) => unknown).call(
    values[0],
    ...values.slice(1),
  );
}
