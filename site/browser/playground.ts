import { RELATION_NAMES } from "../../lib/core/relations/relation_named.ts";
import type { Editor } from "./editor.ts";
import { EXAMPLES } from "./examples.ts";
import { answersOf, neighboursInWords } from "./neighbours_of.ts";
import { questionsOf } from "./questions.ts";
import { runInSandbox } from "./sandbox.ts";
import { withoutOptions } from "./without_options.ts";
import type { Answer, Claimed, Request, SentReport } from "./worker_messages.ts";

// The page on which a function is audited.

const DEFAULT_SECONDS = 10;
/** Milliseconds after its time in which a function that does not return is given up, and in which one that does may end. */
const HANGS = 1000, GRACE = 15_000;
/** Seconds in which the line is looked for. */
const LINE_SECONDS = 5;
/** Files of Python. */
const PYTHON = ["pyodide.asm.wasm", "python_stdlib.zip"];

const at = <Kind extends HTMLElement = HTMLElement>(id: string): Kind =>
  document.getElementById(id) as Kind;
const field = (id: string): HTMLInputElement => at<HTMLInputElement>(id);
const example = at<HTMLSelectElement>("example"), language = at<HTMLSelectElement>("language");
const code = at<HTMLTextAreaElement>("code");
const stop = at<HTMLButtonElement>("stop"), progress = at<HTMLProgressElement>("progress");
const questions = questionsOf(at("questions"));
let editor = undefined as Editor | undefined;
/** Outcome of the last run, for a link. */
let ended = "";

/** Reads the form. @throws {SyntaxError} naming the field that is none. */
function claimed(): Claimed {
  const sizes = /^\s*(\d+)(?:\s*\.\.\s*(\d+))?\s*$/.exec(field("size").value);
  if (sizes === null) throw new SyntaxError("Rows, how many: write 3, or 0..4.");
  let rows: Claimed["rows"];
  try {
    rows = JSON.parse(field("rows").value);
  } catch {
    throw new SyntaxError('Describe a row in JSON, as {"type":"boolean"}.');
  }
  return {
    language: language.value as "javascript" | "python",
    code: code.value,
    epsilon: numberIn("epsilon", "Claimed ε"),
    delta: numberIn("delta", "δ"),
    rows,
    size: { min: Number(sizes[1]), max: Number(sizes[2] ?? sizes[1]) },
    relation: field("relation").value,
    bits: field("bits").checked,
  };
}

function numberIn(id: string, name: string): number {
  const { value } = field(id);
  const number = value.trim() === "" ? NaN : Number(value);
  if (Number.isNaN(number)) throw new SyntaxError(`${name}: write a number.`);
  return number;
}

function fillIn(given: Claimed): void {
  const { epsilon, delta } = given;
  code.value = given.code;
  language.value = given.language ?? "javascript";
  for (const [id, value] of Object.entries({ epsilon, delta })) field(id).value = String(value);
  field("bits").checked = given.bits;
  fillInData(given);
  const answers = answersOf(given);
  if (answers !== undefined) questions.answer(answers);
  showLanguage();
}

function fillInData({ rows, size, relation }: Pick<Claimed, "rows" | "size" | "relation">): void {
  field("rows").value = JSON.stringify(rows);
  field("size").value = String(size.min === size.max ? size.min : `${size.min}..${size.max}`);
  field("relation").value = relation;
  sayData();
}

/** Says in words which datasets are tried. */
function sayData(): void {
  try {
    at("in-words").textContent = neighboursInWords(claimed());
  } catch (error) {
    at("in-words").textContent = (error as Error).message;
  }
}

function showLanguage(): void {
  const isPython = language.value === "python";
  at<HTMLButtonElement>("exact").disabled = isPython;
  at("code-label").textContent = isPython
    ? "A function of rows, as def mechanism(rows)"
    : "A function (rows, source) => output, or code that declares one named mechanism";
  editor?.refresh(language.value);
}

let end = (): void => {};

/** Takes away all that an earlier run showed. */
function clear(): void {
  end();
  ended = "";
  say("");
  at("report").replaceChildren();
  at("decision").hidden = true;
  progress.hidden = true;
}

async function begin(kind: Request["kind"]): Promise<void> {
  clear();
  let request: Request;
  try {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    request = { ...claimed(), kind, maxSeconds: numberIn("seconds", "Seconds"), seed };
  } catch (error) {
    say((error as Error).message, "failed");
    return;
  }
  say(
    request.language === "python"
      ? "Python is loaded."
      : kind === "audit"
      ? "The function is loaded."
      : "All paths are run.",
  );
  progress.hidden = kind !== "audit";
  progress.value = 0;
  // What shows the report is loaded while the function runs.
  const view = import("./report_view.ts");
  await run(request, async (answer) => {
    if (answer.kind === "progress") {
      showProgress(answer.progress, request);
    } else if (answer.kind === "report") {
      const { report, line } = answer;
      const { reportView } = await view;
      await showReport(report, request, reportView);
      if (line !== undefined && report.verdict === "failed") {
        editor?.showError(line, "The function fails here.");
      }
      if (report.verdict === "refuted" && request.language !== "python" && report.pair !== null) {
        // What this takes is loaded only where a claim was refuted.
        void run(
          { ...request, kind: "lines", pair: report.pair, maxSeconds: LINE_SECONDS },
          (found) =>
            found.kind === "lines" && found.findings.length > 0
              ? showReport(
                { ...report, recording: recordingOf(found.findings) },
                request,
                reportView,
              )
              : undefined,
        );
      }
    } else if (answer.kind === "end") {
      const text = withoutOptions(answer.text);
      at("decision").textContent = text;
      at("decision").hidden = false;
      const [verdict] = text.split("  ", 1);
      finish(verdict!);
    } else if (answer.kind === "failed") {
      say(`${kind === "exact" ? "Not decided: " : ""}${withoutOptions(answer.message)}`, "failed");
      if (answer.line !== undefined) editor?.showError(answer.line, answer.message);
    }
  });
}

/** Findings on the pair of a report, as a report has them. */
function recordingOf(
  findings: (Answer & { readonly kind: "lines" })["findings"],
): NonNullable<SentReport["recording"]> {
  return {
    verdict: "suspected",
    findings,
    cost: null,
    runs: 0,
    pairs: 1,
  } as unknown as NonNullable<
    SentReport["recording"]
  >;
}

async function showReport(
  report: SentReport,
  request: Claimed,
  reportView: typeof import("./report_view.ts").reportView,
): Promise<void> {
  const nodes = await reportView(report, request);
  at("report").replaceChildren(nodes);
  finish(report.verdict.replace("-", " ").toUpperCase());
}

/** Says a verdict, which a link then carries. */
function finish(verdict: string): void {
  progress.hidden = true;
  ended = verdict;
  say(verdict, verdict.toLowerCase().replace(" ", "-"));
}

/** Runs a worker until it answers for the last time, somebody stops it, or it hangs. */
async function run(
  request: Request,
  answered: (answer: Answer) => unknown,
): Promise<void> {
  let isOver = false,
    leave = (): void => {},
    timer = undefined as ReturnType<typeof setInterval> | undefined;
  end = (): void => {
    isOver = true;
    clearInterval(timer);
    stop.disabled = true;
    progress.hidden = true;
    leave();
  };
  const own = end;
  stop.disabled = false;
  const isPython = request.language === "python";
  const worker = isPython ? "python_worker" : request.kind === "lines" ? "line_worker" : "worker";
  const script = await (await load(`${worker}.js`)).text();
  const solver = request.kind === "audit"
    ? {}
    : { solver: await (await load("solver.wasm")).arrayBuffer() };
  const python = isPython ? { python: await loadPython() } : {};
  if (isOver) return;
  let seen = performance.now(), start = Infinity;
  timer = setInterval(() => {
    const over = performance.now() - start - request.maxSeconds * 1000;
    if (over < HANGS || performance.now() - seen < HANGS && over < GRACE) return;
    own();
    say(`The function did not return in ${request.maxSeconds} s.`, "failed");
  }, 100);
  leave = runInSandbox<Answer>(script, { ...request, ...solver, ...python }, (answer) => {
    if (isOver) return;
    seen = performance.now();
    // The time of the function begins with the first sign of its worker: loading that takes as long as it takes.
    if (start === Infinity) start = seen;
    if (answer.kind === "alive") return;
    if (answer.kind !== "progress") own();
    void answered(answer);
  });
}

async function loadPython(): Promise<NonNullable<Request["python"]>> {
  const [{ adapter, lock }, ...files] = await Promise.all([
    load("adapter.json").then((answer) => answer.json()),
    ...PYTHON.map((name) => load(name).then((answer) => answer.arrayBuffer())),
  ]);
  return {
    adapter,
    lock,
    files: Object.fromEntries(PYTHON.map((name, i) => [name, files[i]!])),
  };
}

function load(name: string): Promise<Response> {
  return fetch(new URL(name, import.meta.url));
}

function showProgress(
  { draws, seconds, phase, epsilonLowerBound }: (Answer & { kind: "progress" })["progress"],
  { maxSeconds }: Request,
): void {
  const doing = {
    search: "Looking for a pair",
    confirm: "Betting",
    shrink: "Making the pair small",
  };
  const shown = epsilonLowerBound > 0 ? `; ε is at least ${epsilonLowerBound.toPrecision(3)}` : "";
  say(`${doing[phase]}: ${draws.toLocaleString("en")} draws in ${seconds.toFixed(1)} s${shown}.`);
  progress.value = Math.min(1, seconds / maxSeconds);
}

/** Says how it stands, by a verdict's class where there is one. */
function say(text: string, verdict = ""): void {
  const state = at("state");
  state.textContent = text;
  state.className = verdict;
}

async function share(): Promise<void> {
  const button = at("share"), label = button.textContent;
  try {
    const shared = { ...claimed(), ...(ended === "" ? {} : { verdict: ended }) };
    location.hash = encodeURIComponent(JSON.stringify(shared));
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch (error) {
    if (error instanceof SyntaxError) say(error.message, "failed");
    else button.textContent = "The link is in the address bar";
  }
  setTimeout(() => button.textContent = label, 2000);
}

for (const { title } of EXAMPLES) example.append(new Option(title));
for (const name of RELATION_NAMES) {
  if (name !== "asserted") at("relations").append(new Option("", name.replace("NUMBER", "1")));
}
field("seconds").value = String(DEFAULT_SECONDS);
fillIn(EXAMPLES[0]!);
try {
  // A link shows its function and runs nothing.
  if (location.hash !== "") {
    const { verdict, ...shared } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as
      & Claimed
      & { readonly verdict?: unknown };
    fillIn(shared);
    if (typeof verdict === "string" && /^[A-Z ]{4,20}$/.test(verdict)) {
      say(`Whoever shared this was told: ${verdict}. Audit it to see for yourself.`);
    }
  }
} catch {
  say("The address does not hold a function.", "failed");
}
example.addEventListener("change", () => {
  clear();
  fillIn(EXAMPLES[example.selectedIndex]!);
  code.dispatchEvent(new Event("change"));
});
language.addEventListener("change", () => {
  clear();
  showLanguage();
});
at("questions").addEventListener("input", () => {
  try {
    fillInData(questions.neighbours());
    at("question-problem").textContent = "";
  } catch (error) {
    at("question-problem").textContent = (error as Error).message;
  }
});
for (const id of ["rows", "size", "relation"]) field(id).addEventListener("input", sayData);
at("claimed").addEventListener("submit", (event) => {
  event.preventDefault();
  void begin("audit");
});
at("exact").addEventListener("click", () => void begin("exact"));
stop.addEventListener("click", () => {
  end();
  say("Stopped.");
});
at("share").addEventListener("click", () => void share());
const { editorFor } = await import("./editor.ts");
editor = editorFor(code, language.value);
