/** A folder of sources, read once. */
export interface Sources {
  /** The text of every file of code, by its path from the root. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files of ours that a file imports, types included. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

const IMPORT = /\bfrom\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/g;

/** Reads the code below `root` in the folders given. */
export function readSources(root: string, folders: readonly string[]): Sources {
  const texts = new Map<string, string>();
  for (const folder of folders) {
    for (const path of filesBelow(root, folder)) {
      if (path.endsWith(".ts")) texts.set(path, Deno.readTextFileSync(`${root}/${path}`));
    }
  }
  const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
  return { texts, imports };
}

/** All files below a folder, or the file itself, sorted. */
export function filesBelow(root: string, path: string): string[] {
  if (Deno.statSync(`${root}/${path}`).isFile) return [path];
  return [...Deno.readDirSync(`${root}/${path}`)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(root, `${path}/${name}`) : [`${path}/${name}`]
  ).sort();
}

function importsOf(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(IMPORT)].flatMap(([, from, called]) => {
    const specifier = (from ?? called)!;
    if (specifier === "@dpcheck/dpcheck") return ["mod.ts"];
    return specifier.startsWith(".")
      ? [new URL(specifier, new URL(file, "file:///")).pathname.slice(1)]
      : [];
  });
}

/** How many imports lie between `file` and each file that it reaches. */
export function distancesFrom(file: string, { imports }: Sources): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const at of distances.keys()) { // a Map gives entries that are added while it is walked
    for (const next of imports.get(at) ?? []) {
      if (!distances.has(next)) distances.set(next, distances.get(at)! + 1);
    }
  }
  return distances;
}
