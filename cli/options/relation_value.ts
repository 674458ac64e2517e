import { InvalidArgumentError } from "commander";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { asserted, type Relation } from "../../lib/core/relations/relation.ts";
import { RELATION_NAMES, relationNamed } from "../../lib/core/relations/relation_named.ts";

/** The names of the relations under which pairs can be searched, for help and errors. */
export const SEARCHED_RELATIONS: string = RELATION_NAMES.filter((name) => name !== asserted.name)
  .join(", ").replace(/, ([^,]*)$/, " or $1");

/** The value of `--relation` where pairs are always searched. */
export function searchedRelationValue(name: string): Relation {
  const relation = relationValue(name);
  if (relation !== asserted) return relation;
  throw new InvalidArgumentError(`It must be ${SEARCHED_RELATIONS}.`);
}

/** The names of all relations. */
export const RELATIONS = `${SEARCHED_RELATIONS}, or asserted`;

/** The value of `--relation`. */
export function relationValue(name: string): Relation {
  const relation = relationNamed(name);
  if (relation === undefined) {
    throw new InvalidArgumentError(
      `It must be ${RELATIONS}${closestName(name, RELATION_NAMES) || "."}`,
    );
  }
  return relation;
}
