/**
 * How often audits find what their reports state would have been seen with 90% power: for each kind of event, claim and number
 * of draws a program without a leak is audited, the violation is planted exactly as its report states it, and audits of the
 * result are counted. A cell of 100 audits should not have fewer than 82 that refute; the last column is corrected for the number of cells (Holm).
 *
 * Usage: `deno task bench power-stated [--runs N] [--seed N] [--draws N,…] [--claims pure,approximate,gaussian,zcdp] [--kinds TEXT,…]
 * [--shares 0.5,…|one]`. A kind is named by a part of its name.
 */
import { EVENTS } from "../../fixtures/judge/planted_events.ts";
import { approximate, type Claim, gaussian, pure, zcdp } from "../../lib/core/claims/claim.ts";
import { replaceOne as relation } from "../../lib/core/relations/relation.ts";
import { option } from "../option.ts";
import { type Cell, type Found, foundAtStated, holm } from "./stated_power.ts";

const claims: Readonly<Record<string, Claim>> = {
  pure: pure({ epsilon: 1, relation }),
  approximate: approximate({ epsilon: 1, delta: 1e-3, relation }),
  gaussian: gaussian({ mu: 1, relation }),
  zcdp: zcdp({ rho: 0.5, relation }),
};
/** Kinds whose events no report says are found: they are shown beside the others with `--kinds`. */
const NOT_STATED = ["numbers in an interval", "numbers in a narrow window", "a word in a text"];
/** What reports say of an event of one dataset alone is about one value. */
const SEVERAL_VALUES = ["seven of fourteen words"];

const runs = Number(option("runs") ?? 100), seed = Number(option("seed") ?? 540_000);
const draws = (option("draws") ?? "200,1000,4000,10000").split(",").map(Number);
const wanted = option("kinds")?.split(",");
const kinds = Object.keys(EVENTS).filter((kind) =>
  wanted?.some((part) => kind.includes(part)) ?? !NOT_STATED.includes(kind)
);
const shares = (option("shares") ?? "0.5,one").split(",");

const rows: (readonly [cell: string, found: Found])[] = [];
for (const name of (option("claims") ?? Object.keys(claims).join()).split(",")) {
  for (const maxDraws of draws) {
    for (const share of shares) {
      for (const kind of kinds) {
        if (share === "one" && SEVERAL_VALUES.includes(kind)) continue;
        const cell: Cell = {
          kind,
          claim: claims[name]!,
          maxDraws,
          share: share === "one" ? "one side" : Number(share),
        };
        const found = await foundAtStated(cell, { runs, seed });
        const text = `${name} | ${maxDraws} | ${kind} | ${share === "one" ? "one side" : share}`;
        rows.push([text, found]);
        console.error(text, found);
      }
    }
  }
}
const stated = rows.filter(([, { stated }]) => stated !== undefined);
const corrected = holm(stated.map(([, found]) => found));
console.log(`| claim | draws | event | share | stated | on one | on the other | found | p |`);
console.log(`| --- | --- | --- | --- | --- | --- | --- | --- | --- |`);
stated.forEach(([cell, { stated, left, right, found, runs }], k) => {
  const numbers = [stated!, right, left].map((x) => x.toPrecision(3));
  console.log(
    `| ${cell} | ${numbers.join(" | ")} | ${found} of ${runs} | ${corrected[k]!.toPrecision(2)} |`,
  );
});
const fewest = Math.min(...stated.map(([, { found, runs }]) => found / runs));
console.log(
  `\n${stated.length} cells, of ${rows.length}; the others state nothing. The least share found is ${fewest}, ` +
    `the least corrected p ${Math.min(...corrected).toPrecision(2)}. Seed ${seed}.`,
);
