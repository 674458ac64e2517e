import ts from "typescript";
import type { Mutant } from "./mutant.ts";
import { isLeftAlone, replacementsOf } from "./replacements.ts";

/** A file with all of its mutants in it, each behind a switch. */
export interface Instrumented {
  readonly text: string;
  readonly mutants: readonly Mutant[];
}

/**
 * What the instrumented files read: `S[0]` is the mutant that is on, `S[1]` says whether places that are
 * reached are recorded, which `H` does.
 */
export interface Switches {
  readonly S: Int32Array;
  readonly H: Uint8Array;
}

const PRELUDE = "const { S: $S, H: $H } = globalThis.$mutation ?? " +
  "{ S: new Int32Array(2), H: new Uint8Array(1) }; ";

/**
 * Puts every mutant of a file behind a switch, so that the file is loaded once for all of them. A function
 * that holds no mutant in use runs as it was written: its body is there twice.
 *
 * @param file the path from the root
 */
export function instrument(
  file: string,
  text: string,
  { firstId }: { firstId: number },
): Instrumented {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const seen = new Map<string, number>();
  let nextId = firstId, inFunction = false;

  function add(node: ts.Node, replacement: string | undefined, place: number): void {
    const within = pathOf(node);
    const was = oneLine(node.getText(source));
    const change = replacement === undefined
      ? `removed: ${was}`
      : `${was} → ${oneLine(replacement)}`;
    const before = seen.get(`${within}: ${change}`) ?? 0;
    seen.set(`${within}: ${change}`, before + 1);
    mutants.push({
      id: nextId++,
      place,
      file,
      line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      in: within,
      change: before === 0 ? change : `${change} (${before + 1})`,
    });
  }

  /** The text of a node with the mutants of all that is below it. */
  function inside(node: ts.Node): string {
    let result = "", at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source);
      if (start < at) return; // a child that shares its text with the one before: `{ a }`
      result += text.slice(at, start) + emit(child);
      at = child.end;
    });
    return result + text.slice(at, node.end);
  }

  function emit(node: ts.Node): string {
    if (isLeftAlone(node)) return node.getText(source);
    const place = nextId;
    const replacements = replacementsOf(node, source);
    for (const { text } of replacements) add(node, text, place);
    const original = isBody(node) && !inFunction ? twice(node) : inside(node);
    if (replacements.length === 0) return original;
    if (replacements[0]!.text === undefined) {
      return `{ $H[${place}] = 1; if ($S[0] !== ${place}) { ${original} } }`;
    }
    const choices = replacements.map(({ text }, k) => `$S[0] === ${place + k} ? (${text}) : `);
    return `($H[${place}] = 1, ${choices.join("")}(${original}))`;
  }

  /** The body of an outermost function: with mutants while they are in use, and as it was written. */
  function twice(body: ts.Node): string {
    const low = nextId;
    inFunction = true;
    const mutated = inside(body);
    inFunction = false;
    if (nextId === low) return mutated;
    const inUse = `$S[1] !== 0 || $S[0] >= ${low} && $S[0] < ${nextId}`;
    return ts.isBlock(body)
      ? `{ if (${inUse}) ${mutated} else ${body.getText(source)} }`
      : `((${inUse}) ? (${mutated}) : (${body.getText(source)}))`;
  }

  const head = text.slice(0, source.getStart(source));
  const body = inside(source);
  return { text: PRELUDE + head + body, mutants };
}

/** Whether the node is the body of a function. */
function isBody(node: ts.Node): boolean {
  const { parent } = node;
  return parent !== undefined && ts.isFunctionLike(parent) && "body" in parent &&
    parent.body === node;
}

/** The names of the functions, classes and constants around a node. */
function pathOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isConstructorDeclaration(at)) names.unshift("constructor");
    else if (
      (ts.isFunctionLike(at) || ts.isClassLike(at) || ts.isVariableDeclaration(at) ||
        ts.isPropertyAssignment(at) && ts.isFunctionLike(at.initializer)) && at.name !== undefined
    ) {
      if (!ts.isObjectBindingPattern(at.name) && !ts.isArrayBindingPattern(at.name)) {
        names.unshift(at.name.getText());
      }
    }
  }
  return names.join(".");
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s*\/\/.*$/gm, "").replaceAll(/\s+/g, " ").trim();
  return line.length <= 90 ? line : `${line.slice(0, 60)} … ${line.slice(-25)}`;
}
