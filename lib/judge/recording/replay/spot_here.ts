import type { Place } from "../recording.ts";

/** Whether these are the sources, and not the npm package, whose files are made of many. */
const IS_SOURCE = import.meta.url.endsWith(".ts");
/** The folder of this library's own files: `lib` in its repository. */
const OWN = new URL(IS_SOURCE ? "../../../" : "./", import.meta.url).href;
/** Parts of it that stand between a program and its noise, and say nothing of where it is. */
const BETWEEN = IS_SOURCE ? /^(judge\/recording|core\/random|judge\/testing)\// : /^/;
/** How many frames are looked at, as long as none is of the program: each takes some microseconds. */
const FRAMES = [4, 12, 60];
const FRAME = /\(?((?:[a-z]+:|\/)[^\s()]*?):(\d+):(\d+)\)?$/;

/** A line of a program, and a text that tells it from other places in that line. */
export interface Spot extends Place {
  readonly spot: string;
  /** Whether it is in the program itself, and not in a library. */
  readonly isOwn: boolean;
}

/** The places of stacks that were seen. */
const known = new Map<string, Spot>();
const MOST_KNOWN = 10_000;

/**
 * Returns the line of the program from which this is called: that of the innermost frame outside libraries, relative to `folder` where it is below,
 * and that of the library behind it. Empty where no line is known.
 *
 * @param above the function that the program has called: frames from there on are not looked at.
 */
export function spotHere(folder: string, above: () => unknown): Spot {
  const { stackTraceLimit } = Error;
  let spot: Spot;
  for (const frames of FRAMES) {
    Error.stackTraceLimit = frames;
    const holder = { stack: "" };
    Error.captureStackTrace(holder, above);
    spot = spotOf(holder.stack, folder);
    if (spot.isOwn) break;
  }
  Error.stackTraceLimit = stackTraceLimit;
  return spot!;
}

function spotOf(stack: string, folder: string): Spot {
  const key = `${folder}\n${stack}`;
  let spot = known.get(key);
  if (spot === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, spot = spotIn(stack, folder));
  }
  return spot;
}

function spotIn(stack: string, folder: string): Spot {
  let library: string | undefined, spot = "";
  for (const line of stack.split("\n").slice(1)) {
    const [, file = "", number, column] = FRAME.exec(line) ?? [];
    const url = (file.startsWith("/") ? `file://${file}` : file).replace(/\?.*$/, "");
    // The npm package is two: the other one holds what draws.
    if (!IS_SOURCE && url.includes("/@dpcheck/dp/dist/")) continue;
    if (url.startsWith(OWN)) {
      const path = url.slice(OWN.length);
      if (BETWEEN.test(path)) continue;
      library ??= `dpcheck/${path}:${number}`;
      spot += `${path}:${number}:${column} `;
    } else if (/\/node_modules\/|\/registry\.npmjs\.org\/|^(https?|npm|jsr):/.test(url)) {
      library ??= `${url.replace(/^.*\/(node_modules|registry\.npmjs\.org)\//, "")}:${number}`;
      spot += `${url}:${number}:${column} `;
    } else if (url.startsWith("file:")) {
      const path = url.startsWith(folder) ? url.slice(folder.length) : url.replace(/^.*\//, "");
      return {
        at: `${decodeURIComponent(path)}:${number}`,
        ...(library === undefined ? {} : { in: library }),
        isOwn: true,
        spot: `${spot}${path}:${number}:${column}`,
      };
    }
  }
  return { at: library ?? "", spot, isOwn: false };
}
