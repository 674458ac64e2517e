import { type Answers, neighboursOf } from "./neighbours_of.ts";
import type { Claimed } from "./worker_messages.ts";

// The page that asks five questions, and says what an audit is to be told.

const form = document.querySelector<HTMLFormElement>("#questions")!;
const at = (id: string): HTMLElement => document.getElementById(id)!;

function showParts(selector: string, isShown: boolean): void {
  for (const part of form.querySelectorAll<HTMLElement>(selector)) part.hidden = !isShown;
}

function show(): void {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select");
  const answers = Object.fromEntries([...fields].map(({ id, value }) => [id, value])) as Answers;
  const { given, kind, count } = answers;
  showParts(".of-rows", given === "rows");
  showParts(".of-answers", given === "answers");
  showParts(".of-numbers", ["number", "integer", "vector"].includes(kind));
  showParts(".of-names", kind === "category");
  showParts(".of-vectors", kind === "vector");
  showParts(".of-fixed", count === "fixed");
  try {
    const { relation, rows, size, notes } = neighboursOf(answers);
    const sizes = size.min === size.max ? size.min : `${size.min}..${size.max}`;
    at("options").textContent = `--relation ${relation} --rows '${
      JSON.stringify(rows)
    }' --size ${sizes}`;
    at("notes").replaceChildren(...notes.map((note) => {
      const item = document.createElement("li");
      item.append(note);
      return item;
    }));
    const code = "function mechanism(rows, source) {\n  return 0; // Yours.\n}";
    const claimed: Claimed = { code, epsilon: 1, delta: 0, rows, size, relation, bits: false };
    (at("try") as HTMLAnchorElement).hash = encodeURIComponent(JSON.stringify(claimed));
    at("problem").textContent = "";
    at("chosen").hidden = false;
  } catch (error) {
    at("problem").textContent = (error as Error).message;
    at("chosen").hidden = true;
  }
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
show();
