import { questionsOf } from "./questions.ts";
import type { Claimed } from "./worker_messages.ts";

// The page that asks five questions, and says what an audit is to be told.

const form = document.querySelector<HTMLFormElement>("#questions")!;
const at = (id: string): HTMLElement => document.getElementById(id)!;
const questions = questionsOf(form);

function show(): void {
  try {
    const { relation, rows, size, notes } = questions.neighbours();
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
