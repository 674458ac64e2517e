import { RELATION_NAMES } from "../../lib/core/relations/relation_named.ts";
import { drawChart, type Mark } from "./charts.ts";
import { EXAMPLES } from "./examples.ts";
import type { OutputCounts } from "./output_counts.ts";
import { runInSandbox } from "./sandbox.ts";
import type { Answer, Claimed, Datasets, Request } from "./worker_messages.ts";

// The page on which a function is audited.

const DEFAULT_SECONDS = 10;
/** Seconds after its time in which an audit ends what it has begun, before the function is thought to hang. */
const GRACE = 15;
/** Seconds in which the line is looked for. */
const LINE_SECONDS = 5;
/** The largest power of ten that is drawn: what wealth grows to after the claim is refuted says no more. */
const LARGEST_POWER = 20;
/** The probability of refuting a true claim: what audits have by default. */
const ALPHA = 0.01;

const at = <Kind extends HTMLElement = HTMLElement>(id: string): Kind =>
  document.getElementById(id) as Kind;
const field = (id: string): HTMLInputElement => at<HTMLInputElement>(id);
const example = at<HTMLSelectElement>("example");
const stop = at<HTMLButtonElement>("stop");

/** What the form says. @throws {SyntaxError} naming the field that is none. */
function claimed(): Claimed {
  const sizes = /^\s*(\d+)(?:\s*\.\.\s*(\d+))?\s*$/.exec(field("size").value);
  if (sizes === null) throw new SyntaxError("Rows, how many: write 3, or 0..4.");
  let rows: Claimed["rows"];
  try {
    rows = JSON.parse(field("rows").value);
  } catch {
    throw new SyntaxError('What a row is: write JSON, as {"type":"boolean"}.');
  }
  return {
    code: field("code").value,
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

function fillIn({ code, epsilon, delta, rows, size, relation, bits }: Claimed): void {
  const values = {
    code,
    epsilon,
    delta,
    rows: JSON.stringify(rows),
    size: size.min === size.max ? size.min : `${size.min}..${size.max}`,
    relation,
  };
  for (const [id, value] of Object.entries(values)) field(id).value = String(value);
  field("bits").checked = bits;
}

let end = (): void => {};

async function begin(kind: Request["kind"]): Promise<void> {
  end();
  let request: Request;
  try {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    request = { ...claimed(), kind, maxSeconds: numberIn("seconds", "Seconds"), seed };
  } catch (error) {
    say((error as Error).message, "failed");
    return;
  }
  const history: [draws: number, power: number][] = [];
  at("live").hidden = false;
  at("report").hidden = true;
  at("lines").hidden = true;
  at("outputs").replaceChildren();
  at("evidence").replaceChildren();
  showPair(undefined);
  say(kind === "audit" ? "The function is loaded." : "All paths are run.");
  await run(request, (answer) => {
    if (answer.kind === "progress") {
      showProgress(answer, history);
    } else if (answer.kind === "end") {
      const { text, pair } = answer;
      at("report").textContent = text;
      at("report").hidden = false;
      // A report begins with its verdict.
      const [verdict] = text.split("  ", 1);
      say(verdict!, verdict!.toLowerCase().replace(" ", "-"));
      if (pair === undefined) return;
      showPair(pair);
      // What this takes is loaded only where a claim was refuted.
      void run({ ...request, kind: "lines", pair, maxSeconds: LINE_SECONDS }, showLines);
    } else if (answer.kind === "failed") {
      say(`${kind === "exact" ? "Not decided: " : ""}${answer.message}`, "failed");
    }
  });
}

/** Runs a worker until it answers for the last time, somebody stops it, or it takes too long. */
async function run(request: Request, answered: (answer: Answer) => void): Promise<void> {
  let isOver = false, leave = (): void => {};
  const timer = setTimeout(() => {
    end();
    say("The function did not return in time.", "failed");
  }, (request.maxSeconds + GRACE) * 1000);
  end = (): void => {
    isOver = true;
    clearTimeout(timer);
    stop.disabled = true;
    leave();
  };
  stop.disabled = false;
  const script = await (await load("worker.js")).text();
  const solver = request.kind === "audit"
    ? {}
    : { solver: await (await load("solver.wasm")).arrayBuffer() };
  if (isOver) return;
  leave = runInSandbox<Answer>(script, { ...request, ...solver }, (answer) => {
    if (answer.kind !== "progress") end();
    answered(answer);
  });
}

function load(name: string): Promise<Response> {
  return fetch(new URL(name, import.meta.url));
}

/** Shows the lines at which noise does not cover what changes. */
function showLines(answer: Answer): void {
  if (answer.kind !== "lines" || answer.findings.length === 0) return;
  const code = field("code").value.split("\n");
  const items = answer.findings.map(({ sentence, place }) => {
    const item = document.createElement("li"), line = document.createElement("code");
    line.append(code[Number(place.split(":")[1]) - 1]?.trim() ?? "");
    item.append(sentence, " ", line);
    return item;
  });
  at("lines").querySelector("ul")!.replaceChildren(...items);
  at("lines").hidden = false;
}

function showProgress(
  { progress, pair, counts }: Answer & { readonly kind: "progress" },
  history: [draws: number, power: number][],
): void {
  const { draws, seconds, eValue, phase, epsilonLowerBound } = progress;
  const doing = {
    search: "Looking for a pair",
    confirm: "Betting",
    shrink: "Making the pair small",
  };
  const shown = epsilonLowerBound > 0 ? `; ε is at least ${epsilonLowerBound.toPrecision(3)}` : "";
  say(`${doing[phase]}: ${draws.toLocaleString("en")} draws in ${seconds.toFixed(1)} s${shown}.`);
  if (phase !== "shrink") history.push([draws, Math.min(LARGEST_POWER, Math.log10(eValue))]);
  showPair(pair);
  showEvidence(history);
  showOutputs(counts);
}

function showEvidence(history: readonly (readonly [number, number])[]): void {
  const powers = history.map(([, power]) => power).filter(Number.isFinite),
    line = Math.log10(1 / ALPHA);
  const last = history.at(-1);
  if (last === undefined) return;
  const lowest = Math.max(-20, Math.min(-1, ...powers));
  drawChart(at("evidence"), {
    says: `After ${last[0]} draws the wealth is 10 to the power of ${
      last[1].toFixed(1)
    }; at ${line} the claim is refuted.`,
    x: { label: "draws", from: 0, to: last[0] },
    y: { label: "wealth", from: lowest, to: Math.max(line + 1, ...powers), powers: true },
    marks: [
      { kind: "level", y: line, look: "dashed" },
      { kind: "line", points: history, look: "shown" },
    ],
  });
}

function showOutputs({ places, left, right }: OutputCounts): void {
  if (places.length === 0) return;
  const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0) || 1;
  const shares = [left, right].map((counts) => counts.map((count) => count / sum(counts)));
  const areTexts = typeof places[0] === "string";
  const [first, last] = areTexts ? [-0.5, places.length - 0.5] : [places[0], places.at(-1)];
  const marks = shares.flatMap((share, side): Mark[] => {
    const look = side === 0 ? "left" : "right";
    if (!areTexts) {
      return [{ kind: "area", points: share.map((y, i) => [places[i] as number, y]), look }];
    }
    return share.map((y, i) => ({ kind: "bar", x: i + (side - 0.5) * 0.4, width: 0.4, y, look }));
  });
  drawChart(at("outputs"), {
    says: "How often outputs were what, on the left dataset and on the right one.",
    x: {
      label: "output",
      from: first as number,
      to: last as number,
      ...(areTexts ? { names: places as readonly string[] } : {}),
    },
    y: { label: "share", from: 0, to: Math.max(...shares.flat(), 0.01) },
    marks,
  });
}

function showPair(pair: Datasets | undefined): void {
  for (const side of ["left", "right"] as const) {
    at(side).textContent = pair === undefined ? "…" : JSON.stringify(pair[side]);
  }
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
    location.hash = encodeURIComponent(JSON.stringify(claimed()));
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch (error) {
    if (error instanceof SyntaxError) say(error.message, "failed");
    else button.textContent = "It stands in the address";
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
  if (location.hash !== "") fillIn(JSON.parse(decodeURIComponent(location.hash.slice(1))));
} catch {
  say("The address does not hold a function.", "failed");
}
example.addEventListener("change", () => {
  end();
  say("");
  at("live").hidden = true;
  fillIn(EXAMPLES[example.selectedIndex]!);
});
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
