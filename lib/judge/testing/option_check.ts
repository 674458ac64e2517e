import { closestName } from "../../core/text/closest_name.ts";
import type { Domain, RowSpec } from "../../core/relations/dataset.ts";
import {
  isTextOf,
  mayHaveNorm,
  NORM_RULE,
  TEXT_LENGTH_RULE,
  TEXT_VALUES_RULE,
  textLengths,
} from "../../core/relations/text_rows.ts";
import { type Pair, pairOf, type Relation } from "../../core/relations/relation.ts";
import { RELATION_NAMES, relationNamed } from "../../core/relations/relation_named.ts";

/** A pair made by `pairOf`, or two datasets that are neighbours. */
export type GivenPair =
  | Pair
  | { readonly left: readonly unknown[]; readonly right: readonly unknown[] };

/** The kinds of rows of a domain. */
const ROW_TYPES = ["number", "integer", "boolean", "category", "text", "vector", "record"];

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
    const { rows, size } = domain ?? {};
    this.#rowSpec("domain.rows", rows);
    if (
      !(Number.isInteger(size?.min) && Number.isInteger(size?.max) && size.min >= 0 &&
        size.max >= size.min)
    ) {
      this.refuse(
        "domain.size",
        "have whole numbers min and max, 0 ≤ min ≤ max",
        JSON.stringify(size),
      );
    }
    if (size.max === 0) {
      this.refuse("domain.size", "allow a row: the empty dataset alone has no neighbour", "0");
    }
  }

  #rowSpec(name: string, spec: RowSpec): void {
    const flags = spec?.type === "number" ? ["missing", "nan", "infinite"] : ["missing"];
    for (const flag of flags) {
      const value = (spec as object as Record<string, unknown> | undefined)?.[flag];
      if (value !== undefined && typeof value !== "boolean") {
        this.refuse(`${name}.${flag}`, "be true or false", value);
      }
    }
    switch (spec?.type) {
      case "number":
      case "integer":
        for (const end of ["min", "max"] as const) {
          if (!Number.isFinite(spec[end])) {
            this.refuse(`${name}.${end}`, "be a finite number", spec[end]);
          }
        }
        if (!(spec.min <= spec.max)) this.refuse(`${name}.max`, "be at least min", spec.max);
        break;
      case "category":
        if (!(Array.isArray(spec.values) && spec.values.length > 0)) {
          this.refuse(`${name}.values`, "be a list that is not empty", spec.values);
        }
        break;
      case "text":
        if (textLengths(spec.length) === undefined) {
          this.refuse(`${name}.length`, TEXT_LENGTH_RULE, JSON.stringify(spec.length));
        }
        if (
          spec.values !== undefined &&
          !(Array.isArray(spec.values) && spec.values.every((text) => isTextOf(spec.length, text)))
        ) {
          this.refuse(`${name}.values`, TEXT_VALUES_RULE, JSON.stringify(spec.values));
        }
        break;
      case "vector":
        if (!(Number.isInteger(spec.length) && spec.length >= 0)) {
          this.refuse(`${name}.length`, "be a whole number", spec.length);
        }
        this.#rowSpec(`${name}.of`, spec.of);
        if (spec.norm !== undefined && !mayHaveNorm(spec.of)) {
          this.refuse(`${name}.norm`, NORM_RULE, spec.norm);
        }
        break;
      case "record":
        if (typeof spec.fields !== "object" || spec.fields === null) {
          this.refuse(`${name}.fields`, "be an object", spec.fields);
        }
        for (const [field, of] of Object.entries(spec.fields)) {
          this.#rowSpec(`${name}.fields.${field}`, of);
        }
        break;
      default: {
        const type: unknown = spec?.type;
        if (!ROW_TYPES.includes(type as string)) {
          this.refuse(
            `${name}.type`,
            `be one of ${ROW_TYPES.join(", ")}`,
            `${type}${closestName(String(type), ROW_TYPES)}`,
          );
        }
      }
    }
  }
}
