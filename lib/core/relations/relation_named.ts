import { eventsOfStream, labelOfOne, movedRow, swapOfTwo } from "./change_relations.ts";
import { edge, node } from "./graph_relations.ts";
import {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  changeTogether,
  type Relation,
  replaceOne,
} from "./relation.ts";
import { rowsOfOne, sensitiveRow, someRows } from "./unit_relations.ts";

const CHANGES = { each: changeEach, one: changeOne, together: changeTogether } as const;

/** Names of relations, to be looked up; words in capitals stand for what you say: a number, a whole number, a field, a value of it. */
export const RELATION_NAMES: readonly string[] = [
  replaceOne.name,
  addRemoveOne.name,
  asserted.name,
  ...Object.keys(CHANGES).map((which) => `change-${which}-by-NUMBER`),
  "user:FIELD",
  "household:FIELD",
  "rows:COUNT",
  "label:FIELD",
  "one-sided:FIELD=VALUE",
  "swap:FIELD",
  "event:COUNT",
  "within:NUMBER",
  "geo:NUMBER",
  edge.name,
  node.name,
];

/** Which answers change and by how much, of the name of a relation between lists of answers; else `undefined`. */
export function changeNamed(
  name: string,
): { readonly which: "each" | "one" | "together"; readonly by: number } | undefined {
  const [, which, number] = /^change-(each|one|together)-by-(.+)$/.exec(name) ?? [];
  const by = Number(number);
  return which !== undefined && by > 0 && Number.isFinite(by)
    ? { which: which as keyof typeof CHANGES, by }
    : undefined;
}

/** The shipped relation of this name, if there is one. */
export function relationNamed(name: string): Relation | undefined {
  const change = changeNamed(name);
  if (change !== undefined) return CHANGES[change.which](change);
  const colon = name.indexOf(":");
  return colon < 0
    ? [replaceOne, addRemoveOne, asserted, edge, node].find((relation) => relation.name === name) ??
      withParameter(name, undefined)
    : withParameter(name.slice(0, colon), name.slice(colon + 1));
}

/** The relation of a name and what stands behind its colon; the field is called as the relation, and the number is 1, where nothing is said. */
function withParameter(name: string, parameter: string | undefined): Relation | undefined {
  if (parameter === "") return undefined;
  const number = Number(parameter ?? 1), isCount = Number.isSafeInteger(number) && number >= 1;
  switch (name) {
    case "user":
    case "household":
      return rowsOfOne(name, parameter ?? name);
    case "label":
      return labelOfOne(parameter ?? name);
    case "swap":
      return swapOfTwo(parameter);
    case "rows":
      return isCount && parameter !== undefined ? someRows(number) : undefined;
    case "event":
      return isCount ? eventsOfStream(number) : undefined;
    case "within":
    case "geo":
      return number > 0 && Number.isFinite(number) ? movedRow(name, number) : undefined;
    case "one-sided": {
      const equals = parameter?.indexOf("=") ?? -1;
      return equals < 1
        ? undefined
        : sensitiveRow(parameter!.slice(0, equals), valueOf(parameter!.slice(equals + 1)));
    }
    default:
      return undefined;
  }
}

/** The value that a text is as JSON, or else the text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The relation of a name, as `--relation` takes it. A claim that is made with it is about neighbours: under "within:2" a program that keeps ε for a distance
 * of 1 keeps `pure({ epsilon: 2 * ε, relation })`.
 *
 * @param name as in "replace-one", "user:patient" (all rows with one value of `patient`), "within:0.5" (one row moves by at most 0.5).
 * @throws {RangeError} when no relation is called so.
 *
 * @example
 * ```ts
 * import { pure, relationOf } from "@dpcheck/dpcheck";
 * const claim = pure({ epsilon: 1, relation: relationOf("user:patient") });
 * claim.relation.violation([], [{ patient: 1 }, { patient: 1 }]); // undefined: they are neighbours
 * ```
 */
export function relationOf(name: string): Relation {
  const found = relationNamed(String(name));
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot find a relation: name must be ${RELATION_NAMES.join(", ")}: current value is ${name}`,
  );
}
