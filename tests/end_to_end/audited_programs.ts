/** Randomised response that tells the truth with probability `truth`: its ε is ln(truth/(1 − truth)). */
export function response(truth: number): string {
  return `export default ([bit], source) => source.uniform() < ${truth} ? bit : !bit;`;
}
export const PAIR = ["--left", "[false]", "--right", "[true]", "--relation", "replace-one"];
export const BUDGET = ["--max-draws", "1000", "--seed", "1"];
/** For `dpcheck verify`, which asks for each draw by itself. */
export const FEW = ["--max-draws", "300", "--seed", "2"];
