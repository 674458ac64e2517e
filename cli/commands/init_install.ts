import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { VERSION } from "../../lib/judge/audit/version.ts";

/** The folder in which a project keeps the archives of dpcheck that it is built with. */
const VENDOR = "vendor";
const PACKAGES = ["@dpcheck/dp", "@dpcheck/dpcheck"];

/** A way for a build to install dpcheck. */
export interface Install {
  /** The lines of a workflow. */
  readonly steps: readonly string[];
  /** Archives outside the folder, which no build would have, by the paths that they are copied to. */
  readonly copies: Readonly<Record<string, string>>;
  /** Archives that the workflow installs and that are nowhere. */
  readonly missing: readonly string[];
}

/** Finds out from `package.json` how a build of a folder can install dpcheck. */
export function installHere(folder = "."): Install {
  const named = dependencies(join(folder, "package.json"));
  const specs = PACKAGES.map((name) => named[name]?.replace(/^file:/, ""));
  const [dp, dpcheck] = specs;
  const isRegistry = dpcheck !== undefined && !dpcheck.endsWith(".tgz") && !/[/\\]/.test(dpcheck);
  const clean = existsSync(join(folder, "package-lock.json"))
    ? "- run: npm ci"
    : "- run: npm install";
  if (isRegistry) return { steps: [clean], copies: {}, missing: [] };
  if (
    dp?.endsWith(".tgz") && dpcheck?.endsWith(".tgz") &&
    specs.every((each) => isInside(folder, each!))
  ) {
    return {
      steps: [
        `# When dpcheck is on npm: npm install --save-dev ${
          PACKAGES[1]
        }, once, and this line stays.`,
        clean,
      ],
      copies: {},
      missing: [],
    };
  }
  const archives = PACKAGES.map((name, each) => {
    const spec = specs[each],
      isThere = spec?.endsWith(".tgz") && existsSync(resolve(folder, spec!));
    const standard = `${name.slice(1).replace("/", "-")}-${VERSION}.tgz`;
    return {
      from: isThere ? spec! : undefined,
      to: `${VENDOR}/${isThere ? basename(spec!) : standard}`,
    };
  });
  const words = archives.map(({ to }) => `./${to}`).join(" ");
  return {
    steps: [
      `# When dpcheck is on npm, replace both paths by ${PACKAGES[1]}.`,
      `- run: npm install --no-save ${words}`,
    ],
    copies: Object.fromEntries(
      archives.flatMap(({ from, to }) => from === undefined ? [] : [[to, from]]),
    ),
    missing: archives.flatMap(({ from, to }) =>
      from === undefined && !existsSync(join(folder, to)) ? [to] : []
    ),
  };
}

/** The dependencies of a `package.json`, none where it cannot be read. */
function dependencies(file: string): Readonly<Record<string, string>> {
  if (!existsSync(file)) return {};
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
    return { ...dependencies, ...devDependencies };
  } catch {
    return {};
  }
}

/** Tells if a file lies in the folder, and so in what a build checks out. */
function isInside(folder: string, file: string): boolean {
  const path = relative(resolve(folder), resolve(folder, file));
  return existsSync(resolve(folder, file)) && !path.startsWith("..") && !isAbsolute(path);
}
