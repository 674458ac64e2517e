import type { Claim } from "./claim.ts";
import { approximate, gaussian, pure, renyi, zcdp } from "./claim_of_amounts.ts";
import type { Relation } from "../relations/relation.ts";
import { RELATION_NAMES, relationNamed } from "../relations/relation_named.ts";
import { requireFields } from "../numeric/require.ts";

/** Each kind of claim: its numbers, and what makes it of these and a relation. */
const KINDS = {
  pure: { numbers: ["epsilon"], make: pure },
  approximate: { numbers: ["epsilon", "delta"], make: approximate },
  zcdp: { numbers: ["rho"], make: zcdp },
  renyi: { numbers: ["order", "epsilon"], make: renyi },
  gaussian: { numbers: ["mu"], make: gaussian },
} as const;

/**
 * The claim that {@linkcode claimToJSON} wrote, of parsed JSON. What a claim keeps beside its numbers, as the losses of {@linkcode sampledClaim},
 * is not in the JSON: what is read is the claim in numbers.
 *
 * @param json an object with `kind`, the numbers of that kind (an amount may be decimal text) and the name of a relation, and no other fields.
 * @param options `relation`, where the claim is about one of your own: its name must be the one in the JSON. Shipped ones are known by name.
 * @throws {TypeError} when `json` is no such object; it names the field.
 * @throws {RangeError} when a number is out of range or a relation has another name.
 *
 * @example
 * ```ts
 * import { claimFromJSON } from "@dpcheck/dpcheck";
 * const text = '{ "kind": "approximate", "epsilon": 1, "delta": 1e-6, "relation": "replace-one" }';
 * claimFromJSON(JSON.parse(text)).kind; // "approximate"
 * ```
 */
export function claimFromJSON(
  json: unknown,
  options: { readonly relation?: Relation } = {},
): Claim {
  const { relation } = requireFields("claimFromJSON", options, { relation: "relation?" });
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw wrong("the claim", 'an object such as { "kind": "pure", … }', json);
  }
  const { kind, relation: name, ...numbers } = json as Readonly<Record<string, unknown>>;
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) {
    throw wrong("kind", `one of ${Object.keys(KINDS).join(", ")}`, kind);
  }
  const { numbers: expected, make } = KINDS[kind as keyof typeof KINDS];
  for (const field of expected) {
    const value = numbers[field], isAmount = typeof value === "string" && field !== "order";
    if (typeof value !== "number" && !isAmount) throw wrong(field, "a number", value);
  }
  for (const field of Object.keys(numbers)) {
    if (!(expected as readonly string[]).includes(field)) {
      throw wrong(field, `left out of a claim of kind ${kind}`, numbers[field]);
    }
  }
  if (typeof name !== "string") throw wrong("relation", "the name of a relation", name);
  return make({ ...numbers, relation: relationCalled(name, relation) } as never);
}

function relationCalled(name: string, given: Relation | undefined): Relation {
  const found = given === undefined ? relationNamed(name) : given;
  if (found?.name === name) return found;
  throw new RangeError(
    `Cannot read a claim: relation must be ${
      given?.name ?? `one of ${RELATION_NAMES.join(", ")}, or given as in { relation }`
    }: current value is ${name}`,
  );
}

function wrong(field: string, rule: string, value: unknown): TypeError {
  const shown = typeof value === "object" && value !== null
    ? Array.isArray(value) ? "an array" : "an object"
    : String(value);
  return new TypeError(`Cannot read a claim: ${field} must be ${rule}: current value is ${shown}`);
}
