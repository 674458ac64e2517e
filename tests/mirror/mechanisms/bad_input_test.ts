import { assert, assertEquals, assertThrows } from "@std/assert";
import { keepOrReplace, perturbedDatabase } from "../../../lib/mechanisms/input_perturbation.ts";
import { rappor } from "../../../lib/mechanisms/rappor.ts";
import { unaryEncoding } from "../../../lib/mechanisms/unary_encoding.ts";
import { badValues, FACTORIES } from "./mechanism_factories.ts";

/** They take one row, and its domain is a caller's. */
const WITHOUT_DOMAIN: readonly unknown[] = [unaryEncoding, rappor];
Deno.test("mechanisms refuse bad parameters by name, rule and value, and take good ones", () => {
  for (const [factory, options] of FACTORIES) {
    const make = factory as (options: unknown) => unknown;
    make(options);
    for (const [option, good] of Object.entries(options)) {
      // Functions, relations and truth values have types that the compiler checks.
      if (typeof good === "function" || typeof good === "boolean" || option === "relation") {
        continue;
      }
      const asText = typeof good === "number" ? [String(good)] : [];
      for (const bad of [...badValues(option), ...asText]) {
        const error = assertThrows(() => make({ ...options, [option]: bad }), Error);
        const what = `${factory.name}: ${option}: ${error}`;
        assert(error instanceof RangeError, what);
        assert(/^Cannot .*: .* must .*/.test(error.message), what);
        assert(error.message.includes(option), what);
      }
    }
  }
});

Deno.test("mechanisms have a domain where they are given one, and no property without a value", () => {
  const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } };
  for (const [factory, options] of FACTORIES) {
    const make = factory as (options: unknown) => Record<string, unknown>;
    const made = make(options);
    if (made["claim"] === undefined) continue;
    for (const [name, value] of Object.entries(made)) {
      assert(value !== undefined, `${factory.name}: ${name}`);
    }
    assert(!("domain" in made), factory.name);
    const { domain: given } = make({ ...options, domain });
    if (!WITHOUT_DOMAIN.includes(factory)) assertEquals(given, domain, factory.name);
  }
  const perturbed = perturbedDatabase(keepOrReplace({ size: 3, keep: 0.5 }));
  assert(!("domain" in perturbed));
});
