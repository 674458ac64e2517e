import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { leftSpecifier } from "./left_specifier.ts";
import { trustModules } from "./apply.ts";
import { operations, OPERATIONS_KEY } from "./operations.ts";
import { resolveImport } from "./resolve_import.ts";
import { type Note, Run } from "./run.ts";
import { beginLoading } from "./runs.ts";
import { type StripTypes, typeStripper } from "./strip_types.ts";

/** The module of a copy that hands the operations to all others. */
const OPERATIONS_FILE = "operations.mjs";

/** What copies call the operations by. */
const OPERATIONS = `globalThis[Symbol.for(${JSON.stringify(OPERATIONS_KEY)})]`;

/** A program that was loaded as a rewritten copy. */
export interface LoadedProgram {
  /** Exports of the module. */
  readonly module: Readonly<Record<string, unknown>>;
  /** The files that were rewritten, the module first. */
  readonly files: readonly string[];
  /** What is not followed whatever runs: modules that were left as they are, and what happened while modules were loaded. */
  readonly notes: readonly Note[];
  /** The place in the user's files of a place in the stack of an error, or the text as it is. */
  readonly placesIn: (stack: string) => string;
}

/** How a program is loaded. */
export interface LoadOptions {
  /** The folder from which files are named in reports. Default: the current one. */
  readonly root?: string;
  /**
   * Modules that are imported as they are, without a note: what the caller answers for. It gets a file, or a specifier that leads to none.
   * Their functions are called with plain values.
   */
  readonly isTrusted?: (where: string) => boolean;
  /** Conditions after which loading fails. Default: 10⁷. */
  readonly maxSteps?: number;
  /** Whether an error stands in place of each change of what all programs share. Default: false. */
  readonly keepsLanguage?: boolean;
}

/**
 * Loads a rewritten copy of a module and of all that it imports: local files, ES packages in `node_modules`, TypeScript. The copies are in
 * a temporary folder, which Node and Deno load alike, and which is there only while something is loaded.
 *
 * What is left as it is (CommonJS, `node:` modules, other machines') is in the notes.
 *
 * @throws {SyntaxError} for a file that is no module.
 * @throws {TypeError} for TypeScript where nothing takes types out.
 */
export async function loadRewritten(
  entry: string,
  {
    root = process.cwd(),
    isTrusted = () => false,
    maxSteps = 1e7,
    keepsLanguage = false,
  }: LoadOptions = {},
): Promise<LoadedProgram> {
  // With the parser it is a quarter of a megabyte, which assertions that follow no module do without.
  const { rewrite } = await import("./rewrite.ts");
  const home = join(realpathSync(tmpdir()), `dpcheck-source-${crypto.randomUUID()}`);
  const texts = new Map([
    [join(home, "package.json"), '{"type":"module"}\n'],
    [join(home, OPERATIONS_FILE), `export default ${OPERATIONS};\n`],
  ]);
  const loading = new Run({ maxSteps, keepsLanguage });
  const targets = new Map<string, string>(), lines = new Map<string, readonly number[]>();
  const first = realpathSync(resolve(entry));
  let strip: StripTypes | undefined;

  const targetOf = (file: string): string => {
    let target = targets.get(file);
    if (target === undefined) {
      // A number keeps files apart that differ in what the path cannot show.
      const name = file.split(/[\\/]/).at(-1)!.replace(/\.[mc]?[jt]sx?$/, "");
      target = join(home, `${targets.size}_${name.replaceAll(/[^\w.-]/g, "_")}.mjs`);
      targets.set(file, target);
    }
    return target;
  };
  const copyAll = async (start: string): Promise<string> => {
    const queue = [start], done = new Set<string>();
    for (const file of queue) {
      if (done.has(file) || lines.has(file)) continue;
      done.add(file);
      const wasTyped = /\.[mc]?tsx?$/.test(file);
      if (wasTyped) strip ??= await typeStripper(relative(root, file));
      const content = readFileSync(file, "utf8");
      const text = file.endsWith(".json")
        ? `export default JSON.parse(${JSON.stringify(content)});`
        : content;
      const shown = relative(root, file);
      const { code, lines: from, notes } = rewrite(
        wasTyped ? typeless(text, shown, strip!) : text,
        {
          file: shown,
          url: pathToFileURL(file).href,
          operations: `./${OPERATIONS_FILE}`,
          wasTyped,
          specifier: (specifier, at) => {
            const found = resolveImport(specifier, file);
            if ("left" in found) {
              loading.note("module", found.why, at);
              return leftSpecifier(found.left, file);
            }
            if (isTrusted(found.file)) {
              trustModules();
              return pathToFileURL(found.file).href;
            }
            const next = realpathSync(found.file);
            queue.push(next);
            return relativeTo(targetOf(file), targetOf(next));
          },
        },
      );
      for (const { what, at } of notes) loading.note("environment", what, at);
      lines.set(file, from);
      texts.set(targetOf(file), code);
    }
    return targetOf(start);
  };
  let unread = 0;
  // The folder is there until all that is imported is read. What runs then may end this process, or never end.
  const importCopy = async (target: string): Promise<Record<string, unknown>> => {
    let isRead = false;
    const place = operations.read.push(() => {
      if (!isRead && --unread === 0) rmSync(home, { recursive: true, force: true });
      isRead = true;
    }) - 1;
    unread++;
    try {
      if (!existsSync(home)) mkdirSync(home, { mode: 0o700 });
      // Node looks for the files of modules that it has, too.
      for (const [file, text] of texts) if (!existsSync(file)) writeFileSync(file, text);
      writeFileSync(join(home, `read${place}.mjs`), `${OPERATIONS}.read[${place}]();\n`);
      const entry = join(home, `entry${place}.mjs`);
      const from = JSON.stringify(relativeTo(entry, target));
      writeFileSync(entry, `import "./read${place}.mjs";\nexport * as copy from ${from};\n`);
      return (await import(pathToFileURL(entry).href)).copy;
    } finally {
      operations.read[place]!();
    }
  };
  operations.loader = async (where, from) => {
    const found = resolveImport(String(where), fileURLToPath(from));
    if ("left" in found) {
      loading.note("module", found.why);
      return await import(leftSpecifier(found.left, fileURLToPath(from)));
    }
    return await importCopy(await copyAll(realpathSync(found.file)));
  };
  const target = await copyAll(first);
  const end = beginLoading(loading);
  let module: Record<string, unknown>;
  try {
    module = await importCopy(target);
  } finally {
    end();
  }
  return {
    module,
    files: [...targets.keys()],
    notes: loading.notes,
    placesIn: (stack) => placesIn(stack, { targets, lines, root }),
  };
}

function typeless(text: string, file: string, strip: StripTypes): string {
  try {
    return strip(text);
  } catch (error) {
    throw new SyntaxError(
      `Cannot follow ${file}: its types must be such as can be left out: ${
        (error as Error).message.split("\n")[0]
      }`,
      { cause: error },
    );
  }
}

function relativeTo(from: string, to: string): string {
  const path = relative(dirname(from), to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

function placesIn(
  stack: string,
  { targets, lines, root }: {
    readonly targets: ReadonlyMap<string, string>;
    readonly lines: ReadonlyMap<string, readonly number[]>;
    readonly root: string;
  },
): string {
  let text = stack;
  for (const [file, target] of targets) {
    for (const name of [pathToFileURL(target).href, target]) {
      text = text.replaceAll(
        new RegExp(
          `${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}:(\\d+):\\d+`,
          "g",
        ),
        (_, line) => `${relative(root, file)}:${lines.get(file)?.[Number(line) - 1] || line}`,
      );
    }
  }
  return text;
}
