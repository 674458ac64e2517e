/** The member of lib whose promises a chapter is about. Its folder is below that of the member: `proofs/dp/mechanisms`. */
const MEMBERS: Readonly<Record<string, "core" | "dp" | "papers" | "judge">> = {
  definitions: "core",
  mechanisms: "dp",
  composition: "dp",
  erm: "dp",
  input_perturbation: "papers",
  queries: "papers",
  bayes: "papers",
  predictors: "papers",
  exact: "judge",
  false_claims: "judge",
  common_mistakes: "judge",
};

/**
 * The file that holds a theorem, from the root of the repository.
 *
 * @throws {RangeError} when its chapter is in no member.
 */
export function theoremFile(
  { id, file = id }: { readonly id: string; readonly file?: string },
): string {
  const member = MEMBERS[file.slice(0, file.indexOf("/"))];
  if (member === undefined) {
    throw new RangeError(
      `Cannot find a theorem: its chapter must be known: current value is ${file}`,
    );
  }
  return `proofs/${member}/${file}.ts`;
}
