import { assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { bareJson, parseBareJson } from "../../../lib/core/text/bare_json.ts";

Deno.test("bareJson() and parseBareJson() give any value back, with NaN and infinities", () => {
  const special = fc.constantFrom(NaN, Infinity, -Infinity);
  const value = fc.anything({
    withNullPrototype: false,
    values: [special, fc.integer(), fc.string(), fc.constantFrom("NaN", "-Infinity", '"NaN', null)],
  }).filter((x) => !JSON.stringify({ x })!.includes("undefined") && x !== undefined);
  fc.assert(
    fc.property(fc.array(value), (list) => {
      assertEquals(parseBareJson(bareJson(list)!), list);
    }),
    { seed: 1 },
  );
});

Deno.test("bareJson() writes such numbers bare, and all else as JSON.stringify() does", () => {
  assertEquals(
    bareJson([NaN, { a: Infinity, b: -Infinity, c: undefined, d: "NaN" }, undefined, new Date(0)]),
    '[NaN,{"a":Infinity,"b":-Infinity,"d":"NaN"},null,"1970-01-01T00:00:00.000Z"]',
  );
  assertEquals(bareJson({ a: [1, "x", undefined] }), '{"a":[1,"x",null]}');
});

Deno.test("parseBareJson() refuses what is no JSON beside such numbers", () => {
  for (const text of ["[nan]", "[NaN", "NaN NaN", "-NaN"]) {
    assertThrows(() => parseBareJson(text), SyntaxError);
  }
});
