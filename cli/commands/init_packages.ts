import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Language } from "../options/init_arguments.ts";

/** Packages that come with R itself. */
const OF_R = new Set(
  "base compiler datasets graphics grDevices grid methods parallel splines stats stats4 tcltk tools utils"
    .split(" "),
);

/** Prints of the modules that it is given those that Python does not come with, by the names that pip knows them by. */
const NOT_OF_PYTHON = `
import sys
from importlib import metadata
known = metadata.packages_distributions()
for name in sys.argv[1:]:
    if name not in sys.stdlib_module_names:
        print(known.get(name, [name])[0])
`;

/**
 * Returns what a build must install for a function besides dpcheck, as words for pip or names for R: the packages that
 * its file imports, or those that `requirements.txt` lists. None where the language installs its own, or where its
 * runtime is not here.
 */
export function packagesOf(file: string | undefined, language: Language): readonly string[] {
  if (language === "python" && existsSync("requirements.txt")) return ["-r", "requirements.txt"];
  if (file === undefined) return [];
  const text = readFileSync(file, "utf8");
  if (language === "r") {
    const named = text.matchAll(
      /\b(?:library|require|requireNamespace)\(\s*["']?([A-Za-z][\w.]*)|\b([A-Za-z][\w.]*)::/g,
    );
    const names = new Set([...named].map(([, loaded, spaced]) => loaded ?? spaced!));
    return [...names].filter((name) => !OF_R.has(name));
  }
  if (language !== "python") return [];
  const names = new Set(
    [...text.matchAll(/^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(.+))/gm)].flatMap(
      (
        [, from, list],
      ) =>
        from === undefined
          ? [...list!.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name]) => name!)
          : [from],
    ),
  );
  // Adapter of dpcheck, and modules of the project itself.
  const foreign = [...names].filter((name) =>
    name !== "dpcheck" && !existsSync(`${name}.py`) && !existsSync(name)
  );
  if (foreign.length === 0) return [];
  const { status, stdout } = spawnSync("python3", ["-c", NOT_OF_PYTHON, ...foreign], {
    encoding: "utf8",
  });
  return status === 0 ? [...new Set(stdout.split("\n").filter((name) => name !== ""))] : [];
}
