// deno-lint-ignore-file no-explicit-any -- a syntax tree has some seventy shapes, of which most are only copied.
import { assertEquals } from "@std/assert";
import { parse } from "acorn";
import { generate } from "astring";
import { stripTypeScriptTypes } from "node:module";
import { pure } from "../../../../lib/core/claims/claim.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import { followedProgram } from "../../../../lib/judge/exact/followed_program.ts";
import { loadRewritten } from "../../../../lib/judge/source/mod.ts";
import { proveOrAudit } from "../../../../lib/judge/testing/prove_or_audit.ts";
import type { ContinuousForm } from "../../../../proofs/judge/exact/checks/continuous_form.ts";
import { LONG } from "../../../long.ts";

const CHECKS = new URL("../../../../proofs/judge/exact/checks/", import.meta.url);
const OPERATORS: Readonly<Record<string, string>> = {
  sum: "+",
  difference: "-",
  multiple: "*",
  less: "<",
};
/** What the programs are given beside operators. */
const BESIDE = `
const rational = (numerator, denominator = 1) => numerator / denominator;
const sum = (...terms) => terms.reduce((all, term) => all + term, 0);
const indexOfLargest = (values) => {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
};
`;

/** The tree with operators in place of methods of the source. */
function withOperators(n: any): any {
  if (n === null || typeof n !== "object") return n;
  if (Array.isArray(n)) return n.map(withOperators);
  const copy = Object.fromEntries(
    Object.entries(n).map(([key, each]) => [
      key,
      withOperators(each),
    ]),
  ) as any;
  if (copy.type !== "CallExpression" || copy.callee.object?.name !== "source") return copy;
  const { name } = copy.callee.property, args = copy.arguments as any[];
  if (name === "indexOfLargest" || args.some(({ type }) => type === "SpreadElement")) {
    return { ...copy, callee: { type: "Identifier", name } };
  }
  const operator = OPERATORS[name];
  return operator === undefined
    ? copy
    : args.reduce((left, right) => ({ type: "BinaryExpression", operator, left, right }));
}

// Mutants of traced_value: an operator that is no form, or a comparison that goes the other way.
Deno.test("published programs hold, or are refuted, where they are written with operators", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["continuous_form", "aligned_forms", "broken_forms"]) {
      const typed = await Deno.readTextFile(new URL(`${name}.ts`, CHECKS));
      const text = stripTypeScriptTypes(typed).replace("continuous_form.ts", "continuous_form.mjs")
        .replace(/import \{ rational \} from .*;/, "");
      const tree = parse(text, { ecmaVersion: "latest", sourceType: "module" });
      await Deno.writeTextFile(
        `${folder}/${name}.mjs`,
        BESIDE + generate(withOperators(tree)),
      );
    }
    for (
      const [file, list, expected] of [
        ["aligned_forms", "alignedForms", "holds"],
        ["broken_forms", "brokenForms", "refuted"],
      ] as const
    ) {
      const { module, notes } = await loadRewritten(`${folder}/${file}.mjs`);
      assertEquals(notes, []);
      const written = await import(`file://${folder}/${file}.mjs`) as typeof module;
      for (const [i, form] of (written[list] as ContinuousForm[]).entries()) {
        if (!LONG && (i % 6 !== 1 || form.domain.size.max > 5)) continue;
        const { name, domain } = form, relation = relationNamed(form.relation)!;
        const { proof, refuted, audited } = await proveOrAudit({
          name,
          run: followedProgram((module[list] as any)[i].program),
          written: form.program as never,
          claim: pure({ epsilon: 1, relation }),
          relation,
          domain,
        });
        const isRefuted = refuted !== undefined || audited?.verdict === "refuted";
        assertEquals(isRefuted ? "refuted" : proof.report.verdict, expected, name);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
