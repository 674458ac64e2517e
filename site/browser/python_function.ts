import { loadPyodide } from "pyodide";
import type { Mechanism } from "./function_of.ts";
import type { Request } from "./worker_messages.ts";

/** Python itself, which stands before this script in the text of the worker (browser_scripts.ts). */
declare const _createPyodideModule: unknown;

/** Address that the files of Python are given: they come with the request, and nothing is loaded. */
const PLACE = "https://dpcheck.invalid/python/";
/** Name of the code in tracebacks. */
const FILE = "mechanism.py";

/** Loads the code of a request, finds its function, and gives outputs as the adapter does. */
const LOADER = `
import json, sys, traceback
sys.path.insert(0, "/adapter")
from dpcheck.serve import plain

served = []
import dpcheck
dpcheck.serve = lambda f, width=None: served.append(f)

def load(code):
    names = {"__name__": "mechanism"}
    exec(compile(code, "${FILE}", "exec"), names)
    own = [value for value in names.values() if callable(value) and getattr(value, "__module__", "") == "mechanism" and not isinstance(value, type)]
    found = served[-1] if served else names.get("mechanism") or (own[-1] if own else None)
    if not callable(found):
        raise TypeError("The code must define a function of rows, as def mechanism(rows).")
    def answer(text):
        try:
            return json.dumps({"output": plain(found(json.loads(text)))})
        except ModuleNotFoundError:
            raise
        except Exception as error:
            frames = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "${FILE}"]
            return json.dumps({"error": "%s: %s" % (type(error).__name__, error), "line": frames[-1] if frames else None})
    def check(text):
        found(json.loads(text))
    return answer, check, getattr(found, "__name__", "the function")
`;

/** The function of a text in Python. */
export async function pythonFunction(
  { code, python, size }: Request,
  begins: () => void,
): Promise<Mechanism> {
  const { files, adapter, lock } = python!;
  // Nothing may be loaded in the sandbox: what Python asks for is what came with the request.
  globalThis.fetch = (asked): Promise<Response> => {
    const name = String(asked instanceof Request_ ? asked.url : asked).split("/").at(-1)!;
    const bytes = files[name];
    if (bytes === undefined) return Promise.reject(new TypeError(`there is no ${name} here`));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return Promise.resolve(new Response(bytes, { headers: { "content-type": type } }));
  };
  const pyodide = await loadPyodide(
    {
      indexURL: PLACE,
      stdLibURL: `${PLACE}python_stdlib.zip`,
      lockFileContents: lock,
      createPyodideModule: _createPyodideModule,
      stdout: () => {},
      stderr: () => {},
    } as unknown as Parameters<typeof loadPyodide>[0],
  );
  pyodide.FS.mkdirTree("/adapter/dpcheck/recording");
  for (const [name, text] of Object.entries(adapter)) {
    pyodide.FS.writeFile(`/adapter/dpcheck/${name}`, text);
  }
  pyodide.runPython(LOADER);
  begins();
  let answer: (text: string) => string, check: (text: string) => void, name: string;
  try {
    [answer, check, name] = pyodide.globals.get("load")(code);
    // A package that is missing shows when the function runs.
    if (size.min === 0) check("[]");
  } catch (error) {
    const named = explained(error);
    if (named instanceof MissingPackage || !isOfFunction(error)) throw named;
    // The function fails on no rows: that is an output.
    [answer, , name] = pyodide.globals.get("load")(code);
  }
  const run = (data: unknown): unknown => {
    const { output, error, line } = JSON.parse(answer!(JSON.stringify(data))) as {
      output?: unknown;
      error?: string;
      line?: number | null;
    };
    if (error !== undefined) {
      throw Object.assign(new Error(error), typeof line === "number" ? { line } : {});
    }
    return output;
  };
  return Object.defineProperty(run, "name", { value: name! });
}

/** `Request` names a message here. */
const Request_ = globalThis.Request;

/** A package that Python in the browser does not have. */
class MissingPackage extends Error {}

function explained(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  const missing = /No module named '([\w.]+)'/.exec(text)?.[1]?.split(".")[0];
  if (missing !== undefined) {
    return new MissingPackage(
      `${missing} is not in this page: it has Python's standard library alone, for packages come from elsewhere. Audit the function at a prompt, where your ${missing} is.`,
    );
  }
  const last = text.trim().split("\n").at(-1)!, line = pythonLine(error);
  return Object.assign(new Error(last), line === undefined ? {} : { line });
}

/** Returns true if an error was thrown by the function when it was called, and not by its text when it was loaded. */
function isOfFunction(error: unknown): boolean {
  return / in check\b/.test(error instanceof Error ? error.message : "");
}

/** The line of an error in the code, counted from 1. */
export function pythonLine(error: unknown): number | undefined {
  const { line } = error as { readonly line?: number };
  if (line !== undefined) return line;
  const text = error instanceof Error ? error.message : String(error);
  const found = [...text.matchAll(new RegExp(`File "${FILE}", line (\\d+)`, "g"))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
