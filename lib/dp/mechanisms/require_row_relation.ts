import { addRemoveOne, type Relation, replaceOne } from "../../core/relations/relation.ts";

/**
 * Throws unless neighbours differ in one row, replaced or added: what sensitivities here are for.
 */
export function requireRowRelation(action: string, relation: Relation): void {
  if (relation !== replaceOne && relation !== addRemoveOne) {
    throw new RangeError(
      `Cannot ${action}: relation must be replace-one or add-remove-one: current value is ${relation.name}`,
    );
  }
}
