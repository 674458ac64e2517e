import { accountingClaims } from "./accounting.ts";
import { type Claims, holds } from "./case.ts";
import { selectionClaims } from "./selection.ts";
import { statisticsClaims } from "./statistics.ts";
import { trainingClaims } from "./training.ts";

/** The claims of the second part of DPriv-Bench, by their numbers. */
export const paperClaims: Claims = {
  ...accountingClaims,
  ...trainingClaims,
  ...statisticsClaims,
  ...selectionClaims,
};

/** A record of the data. */
interface Printed {
  readonly question_id: number;
  readonly label: 0 | 1;
}

/** Prints how many claims are found to hold, and to be false, as the key has it. */
export async function examineClaims(data: string | undefined): Promise<void> {
  const printed: Printed[] | undefined = data === undefined
    ? undefined
    : JSON.parse(await Deno.readTextFile(`${data}/category_2/cate_2.json`));
  const key = new Map(printed?.map(({ question_id, label }) => [question_id, label === 1]));
  const found = Object.entries(paperClaims)
    .map(([id, cases]) => ({ id: Number(id), keeps: holds(cases()) }));
  const kept = found.filter(({ keeps }) => keeps);
  console.log(`\n${found.length} claims of papers: ${kept.length} hold in all cases`);
  if (printed === undefined) {
    console.log(`holds: ${kept.map(({ id }) => id).join(", ")}`);
    return;
  }
  const asked = found.filter(({ id }) => key.has(id));
  const other = asked.filter(({ id, keeps }) => keeps !== key.get(id));
  console.log(`${asked.length - other.length} of ${asked.length} agree with the key`);
  for (const { id, keeps } of other) {
    console.log(
      `- ${id}: the key says ${key.get(id) ? "yes" : "no"}, found: ${keeps ? "yes" : "no"}`,
    );
  }
  const left = [...key.keys()].filter((id) => !(id in paperClaims));
  if (left.length > 0) console.log(`not asked: ${left.join(", ")}`);
}
