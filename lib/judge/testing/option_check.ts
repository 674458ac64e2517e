import { closestName } from "../../core/text/closest_name.ts";
import type { Domain } from "../../core/relations/dataset.ts";
import { requireDomain } from "../audit/search/require_domain.ts";
import { type Pair, pairOf, type Relation } from "../../core/relations/relation.ts";
import { RELATION_NAMES, relationNamed } from "../../core/relations/relation_named.ts";

/** A pair made by `pairOf`, or two datasets that are neighbours. */
export type GivenPair =
  | Pair
  | { readonly left: readonly unknown[]; readonly right: readonly unknown[] };

/** Checks the options of an assertion, which tests without type checks may get wrong. Errors name the option and the rule. */
export class OptionCheck {
  readonly #action: string;

  /** Messages begin with what cannot be done, as in "assert privacy". */
  constructor(action: string) {
    this.#action = action;
  }

  /** @throws {RangeError} always. */
  refuse(name: string, rule: string, value: unknown): never {
    throw new RangeError(
      `Cannot ${this.#action}: ${name} must ${rule}: current value is ${value}`,
    );
  }

  /** @throws {RangeError} when an option is not known. */
  names(options: object, known: Readonly<Record<string, true>>): void {
    for (const name of Object.keys(options)) {
      if (!Object.hasOwn(known, name)) {
        const names = Object.keys(known).toSorted();
        this.refuse("options", `be among ${names.join(", ")}`, name + closestName(name, names));
      }
    }
  }

  /** The relation, which may be given by its name. @throws {RangeError} when no relation is called so. */
  relation(given: Relation | string): Relation;
  relation(given: Relation | string | undefined): Relation | undefined;
  relation(given: Relation | string | undefined): Relation | undefined {
    if (typeof given !== "string") return given;
    return relationNamed(given) ?? this.refuse(
      "relation",
      "be a relation, or the name of one, as replace-one or add-remove-one",
      given + closestName(given, RELATION_NAMES),
    );
  }

  /** The pair. @throws {RangeError} when two datasets come without a relation or are no neighbours under it. */
  pair(given: GivenPair, relation: Relation | undefined): Pair {
    if ("relation" in given) return given;
    if (relation === undefined) this.refuse("relation", "be given with two datasets", undefined);
    return pairOf(relation, { left: given.left, right: given.right });
  }

  /** @throws {RangeError} when the domain is not one, or has no dataset with neighbours. */
  domain(domain: Domain): void {
    requireDomain(this.#action, domain);
    if (domain.size.max === 0) {
      this.refuse("domain.size", "allow a row: the empty dataset alone has no neighbour", "0");
    }
  }
}
