import * as nodeModule from "node:module";

/** Takes the types out of a text of TypeScript, and leaves all else where it is. */
export type StripTypes = (text: string) => string;

/** The package that does it where the runtime does not: the one that is inside of Node. */
export const TYPE_STRIPPER = "amaro@1.2.1";

let found: StripTypes | undefined;

/**
 * Returns a function that takes types out: that of Deno and of Node from 22.13 on, else the package `amaro`. Lines stay what they are.
 *
 * @throws {TypeError} where there is neither, with the line that installs one.
 */
export async function typeStripper(file: string): Promise<StripTypes> {
  if (found !== undefined) return found;
  const { stripTypeScriptTypes } = nodeModule as unknown as {
    stripTypeScriptTypes?: (text: string) => string;
  };
  if (stripTypeScriptTypes !== undefined) {
    return found = (text) => stripTypeScriptTypes(text);
  }
  try {
    const name = "amaro";
    const { transformSync } = await import(name) as {
      transformSync: (text: string, options: { mode: "strip-only" }) => { code: string };
    };
    return found = (text) => transformSync(text, { mode: "strip-only" }).code;
  } catch (error) {
    throw new TypeError(
      `Cannot follow ${file}: it is TypeScript, and this runtime does not take types out: npm install ${TYPE_STRIPPER}`,
      { cause: error },
    );
  }
}
