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
 * The folder of a chapter, from the root of the repository.
 *
 * @throws {RangeError} when it is in no member.
 */
export function chapterFolder(chapter: string): string {
  const member = MEMBERS[chapter];
  if (member === undefined) {
    throw new RangeError(
      `Cannot find a chapter: its member must be known: current value is ${chapter}`,
    );
  }
  return `proofs/${member}/${chapter}`;
}

/**
 * The file that holds a theorem, from the root of the repository.
 *
 * @throws {RangeError} when its chapter is in no member.
 */
export function theoremFile(
  { id, file = id }: { readonly id: string; readonly file?: string },
): string {
  const [chapter, name] = file.split("/") as [string, string];
  return `${chapterFolder(chapter)}/${name}.ts`;
}
