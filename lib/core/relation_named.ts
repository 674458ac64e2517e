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

/** The shipped relation of this name, if there is one. */
export function relationNamed(name: string): Relation | undefined {
  const [, which, number] = /^change-(each|one|together)-by-(.+)$/.exec(name) ?? [];
  if (which === undefined) {
    return [replaceOne, addRemoveOne, asserted].find((relation) => relation.name === name);
  }
  const by = Number(number);
  return by > 0 && Number.isFinite(by) ? CHANGES[which as keyof typeof CHANGES]({ by }) : undefined;
}
