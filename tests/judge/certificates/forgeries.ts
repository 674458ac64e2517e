// deno-lint-ignore no-explicit-any -- whatever a certificate holds.
type Json = any;

/** Values of other types, signs and sizes in place of one. */
const others: Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1e308,
  Number.MIN_VALUE,
  "",
  "0",
  "1",
  "-1",
  "01",
  "+1",
  " 1",
  "1e9",
  "0x1",
  "1/2",
  "1/0",
  "9".repeat(30_000),
  "-0",
  "__proto__",
  [],
  {},
  [["0", "1"]],
  ["0"],
];

/** Every forgery of one place: another value, a key or an item less, one more, one twice, two swapped. */
export function* forgeries(whole: Json): Generator<[what: string, text: string]> {
  function* at(value: Json, where: string): Generator<[what: string]> {
    const parts = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const key of parts) {
      const kept = value[key], here = `${where}.${key}`;
      for (const other of others) {
        value[key] = other;
        yield [`${here} = ${JSON.stringify(other)?.slice(0, 20)}`];
      }
      if (typeof kept === "number") {
        for (const other of [-kept, kept + 1, kept / 2, kept * (1 - 2 ** -52), String(kept)]) {
          value[key] = other;
          yield [`${here}: ${kept} is ${other}`];
        }
      }
      if (typeof kept === "string" && /^-?\d+$/.test(kept)) {
        for (const by of [1n, -1n, BigInt(kept), -2n * BigInt(kept)]) {
          value[key] = String(BigInt(kept) + by);
          yield [`${here} + ${by}`];
        }
        value[key] = Number(kept);
        yield [`${here} is a number`];
      }
      value[key] = kept;
      if (typeof kept === "object" && kept !== null) yield* at(kept, here);
    }
    if (Array.isArray(value)) {
      const items = [...value];
      for (const i of items.keys()) {
        value.splice(i, 1);
        yield [`${where} without ${i}`];
        value.splice(i, 0, items[i], items[i]);
        yield [`${where} with ${i} twice`];
        value.splice(0, value.length, ...items);
        if (i > 0) {
          [value[0], value[i]] = [items[i], items[0]];
          yield [`${where} with 0 and ${i} swapped`];
          value.splice(0, value.length, ...items);
        }
      }
    } else {
      for (const key of parts as string[]) {
        const kept = value[key];
        delete value[key];
        yield [`${where} without ${key}`];
        value[key] = kept;
      }
      value.more = 1;
      yield [`${where}.more`];
      delete value.more;
    }
  }
  const genuine = JSON.stringify(whole) + "\n";
  for (const [what] of at(whole, "")) {
    const text = JSON.stringify(whole) + "\n";
    if (text !== genuine) yield [what, text];
  }
}
