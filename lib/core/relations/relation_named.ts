import {
  addRemoveOne,
  asserted,
  changeEach,
  changeOne,
  changeTogether,
  type Relation,
  replaceOne,
} from "./relation.ts";

const CHANGES = { each: changeEach, one: changeOne, together: changeTogether } as const;

/** Names of relations, to be looked up; NUMBER stands for the number of a name. */
export const RELATION_NAMES: readonly string[] = [
  replaceOne.name,
  addRemoveOne.name,
  asserted.name,
  ...Object.keys(CHANGES).map((which) => `change-${which}-by-NUMBER`),
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
  return change === undefined
    ? [replaceOne, addRemoveOne, asserted].find((relation) => relation.name === name)
    : CHANGES[change.which](change);
}
