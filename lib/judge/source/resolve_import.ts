import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Target of an import: a file that can be rewritten, or elsewhere, with the reason. */
export type Resolved =
  | { readonly file: string }
  | { readonly left: string; readonly why: string };

/** The fields of `package.json` that name modules. */
interface Manifest {
  readonly exports?: unknown;
  readonly module?: string;
  readonly main?: string;
  readonly type?: string;
}

/** Finds the file of an import as Node does, for ES modules: relative files, `file:`, and packages in `node_modules`. */
export function resolveImport(specifier: string, from: string): Resolved {
  if (specifier.startsWith("file:")) return ofFile(fileURLToPath(specifier), specifier);
  if (/^\.{0,2}\//.test(specifier)) return ofFile(resolve(dirname(from), specifier), specifier);
  if (/^[a-z]+:/.test(specifier)) {
    return { left: specifier, why: `${specifier}, which is not a file` };
  }
  const [, name, path = ""] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [, specifier];
  for (let folder = dirname(from);; folder = dirname(folder)) {
    const home = join(folder, "node_modules", name!), manifest = join(home, "package.json");
    if (existsSync(manifest)) {
      return ofPackage(JSON.parse(readFileSync(manifest, "utf8")), { home, path, specifier });
    }
    if (folder === dirname(folder)) break;
  }
  return { left: specifier, why: `${specifier}, which is in no node_modules` };
}

function ofFile(file: string, specifier: string): Resolved {
  if (/\.(cjs|cts|node|wasm)$/.test(file)) {
    return { left: specifier, why: `${specifier}, which is no ES module` };
  }
  return isCommonJs(file) ? { left: specifier, why: `the CommonJS file ${specifier}` } : { file };
}

/** Returns true if a file is written for `require`: a package may have such files beside its modules. */
function isCommonJs(file: string): boolean {
  if (!/\.[jt]s$/.test(file) || !existsSync(file) || looksLikeModule(file)) return false;
  return /\b(module\.exports|exports\.\w+ *=|exports, *["']|require\()/.test(
    readFileSync(file, "utf8"),
  );
}

function ofPackage(
  { exports, module, main, type }: Manifest,
  { home, path, specifier }: {
    readonly home: string;
    readonly path: string;
    readonly specifier: string;
  },
): Resolved {
  const isModule = type === "module";
  const target = exports === undefined
    ? path !== "" ? `.${path}` : module ?? (isModule ? main ?? "index.js" : undefined)
    : exported(exports, `.${path}`) ?? (path === "" ? module : undefined);
  if (target === undefined) return { left: specifier, why: `the CommonJS package ${specifier}` };
  const file = join(home, target);
  const isOfModules = /\.(mjs|mts|ts)$/.test(file) || isModule || target === module ||
    looksLikeModule(file);
  return /\.cjs$/.test(file) || !isOfModules
    ? { left: specifier, why: `the CommonJS package ${specifier}` }
    : { file };
}

/** The file that `exports` names for importers. */
function exported(exports: unknown, path: string): string | undefined {
  const pick = (value: unknown): string | undefined => {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) {
      for (const each of value) {
        const found = pick(each);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (typeof value !== "object" || value === null) return undefined;
    for (const [condition, each] of Object.entries(value)) {
      if (!["import", "node", "module", "default"].includes(condition)) continue;
      const found = pick(each);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const isByPath = typeof exports === "object" && exports !== null && !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith("."));
  if (!isByPath) return path === "." ? pick(exports) : undefined;
  const all = exports as Record<string, unknown>;
  if (path in all) return pick(all[path]);
  for (const [pattern, value] of Object.entries(all)) {
    const [start, end] = pattern.split("*");
    if (end === undefined || !path.startsWith(start!) || !path.endsWith(end)) continue;
    return pick(value)?.replaceAll("*", path.slice(start!.length, path.length - end.length));
  }
  return undefined;
}

/** Returns true if a file of a package that does not say so is written as an ES module. */
function looksLikeModule(file: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return false;
  return /^\s*(import|export)\b/m.test(readFileSync(file, "utf8"));
}
