import { runHere } from "./run_cli.ts";

/** Randomised response that tells the truth with probability `truth`: its ε is ln(truth/(1 − truth)). */
export function response(truth: number): string {
  return `export default ([bit], source) => source.uniform() < ${truth} ? bit : !bit;`;
}
export const PAIR = ["--left", "[false]", "--right", "[true]", "--relation", "replace-one"];
export const BUDGET = ["--max-draws", "1000", "--seed", "1"];
/** For `dpcheck verify`, which asks for each draw by itself. */
export const FEW = ["--max-draws", "300", "--seed", "2"];

/** Verifies the audit that `r.json` of a folder holds. */
export async function verifyAgain(
  folder: string,
): Promise<Awaited<ReturnType<typeof runHere>> & { readonly report: Record<string, unknown> }> {
  const json = `${folder}/v.json`;
  const run = await runHere(["verify", `${folder}/r.json`, ...FEW, "--json", json]);
  return { ...run, report: JSON.parse(await Deno.readTextFile(json)) };
}
