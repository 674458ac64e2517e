import { InvalidArgumentError } from "commander";
import type { Relation } from "../lib/core/relation.ts";
import { relationNamed } from "../lib/core/relation_named.ts";

/** The names of all relations, for help and errors. */
export const RELATIONS =
  "replace-one, add-remove-one, change-each-by-NUMBER, change-one-by-NUMBER or asserted";

/** The value of `--relation`. */
export function relationValue(name: string): Relation {
  const relation = relationNamed(name);
  if (relation === undefined) throw new InvalidArgumentError(`It must be ${RELATIONS}.`);
  return relation;
}
