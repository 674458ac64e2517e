import { createRequire, isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Returns what a copy imports in place of a module that is not rewritten, and that `from` imports. */
export function leftSpecifier(specifier: string, from: string): string {
  if (/^[a-z]+:/.test(specifier)) return specifier;
  if (isBuiltin(specifier)) return `node:${specifier}`;
  const require = createRequire(from);
  try {
    const file = require.resolve(specifier);
    if (!/\.m[jt]s$/.test(file)) return required(file, require);
    return pathToFileURL(file).href;
  } catch {
    return /^\.{0,2}\//.test(specifier)
      ? pathToFileURL(resolve(dirname(from), specifier)).href
      : specifier;
  }
}

/** A CommonJS module as one that can be imported from any folder, with the names that it has. */
function required(file: string, require: (file: string) => unknown): string {
  const exported = require(file);
  const isObject = typeof exported === "object" || typeof exported === "function";
  const names = Object.keys(isObject ? exported ?? {} : {})
    .filter((name) => NAME.test(name) && name !== "default");
  const code = [
    'import { createRequire } from "node:module";',
    `const exported = createRequire(${JSON.stringify(pathToFileURL(file).href)})(${
      JSON.stringify(file)
    });`,
    "export default exported;",
    ...names.map((name, i) =>
      `const name${i} = exported[${JSON.stringify(name)}]; export { name${i} as ${name} };`
    ),
  ].join("\n");
  return `data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`;
}
