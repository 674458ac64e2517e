import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The variable that holds the folder of adapters in programs that dpcheck starts. */
export const ADAPTERS_VARIABLE = "DPCHECK_ADAPTERS";

/**
 * Lets programs that this process starts find the adapters of this version: `from dpcheck import serve` in Python, and
 * {@linkcode ADAPTERS_VARIABLE} elsewhere. A module of a program's own folder goes before.
 */
export function offerAdapters(): void {
  // Sources and the npm package both have the folder one above that of the command. JSR has no folder.
  const url = new URL(
    import.meta.url.endsWith(".js") ? "../adapters" : "../../adapters",
    import.meta.url,
  );
  if (url.protocol !== "file:") return;
  const folder = fileURLToPath(url);
  if (process.env[ADAPTERS_VARIABLE] === folder || !existsSync(folder)) return;
  process.env[ADAPTERS_VARIABLE] = folder;
  const earlier = process.env.PYTHONPATH ?? "";
  process.env.PYTHONPATH = [join(folder, "python"), ...earlier.split(delimiter).filter(Boolean)]
    .join(delimiter);
}
