import { BadInput } from "../options/bad_input.ts";

/** The packages that the modules of this folder need, and that npm does not install with dpcheck. */
const PACKAGES = ["bullmq", "ioredis"];

/**
 * Loads modules of this folder.
 *
 * @throws {BadInput} saying what to install, when a package that they need is not there.
 */
export async function loadQueue<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    const isMissing = code === "ERR_MODULE_NOT_FOUND" &&
      PACKAGES.some((name) => message.includes(`'${name}'`));
    if (!isMissing) throw error;
    throw new BadInput(
      `--queue needs packages that are not installed: npm install ${PACKAGES.join(" ")}`,
      { cause: error },
    );
  }
}
