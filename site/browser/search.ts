import type { SearchIndex } from "../search_index.ts";
import { findSections } from "./find_sections.ts";

// The search of every page. The index is loaded when somebody begins to search.

const assets = import.meta.url;
const MOST_SHOWN = 20;

const input = document.querySelector<HTMLInputElement>("#search")!;
const list = document.querySelector<HTMLOListElement>("#results")!;
let loading: Promise<SearchIndex> | undefined;

function load(): Promise<SearchIndex> {
  return loading ??= fetch(new URL("search.json", assets)).then((answer) => answer.json());
}

async function show(): Promise<void> {
  const query = input.value;
  const index = await load();
  if (query !== input.value) return;
  const found = findSections(index, query);
  const items = found.slice(0, MOST_SHOWN).map(({ page, title, path, anchor }) => {
    const link = document.createElement("a");
    link.href = new URL(`../${path}#${anchor}`, assets).href;
    link.append(title);
    if (page !== title) {
      const small = document.createElement("small");
      small.append(` ${page}`);
      link.append(small);
    }
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  if (items.length === 0) {
    const nothing = document.createElement("li");
    nothing.append("Nothing was found.");
    items.push(nothing);
  }
  list.replaceChildren(...items);
  list.hidden = query.trim() === "";
}

function close(): void {
  list.hidden = true;
}

input.addEventListener("focus", () => void load());
input.addEventListener("input", () => void show());
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (key === "Escape" && !list.hidden) {
    close();
    input.focus();
  } else if (key === "Enter" && target === input) {
    list.querySelector("a")?.click();
  } else if (key === "/" && !(target as HTMLElement).closest("input, textarea, select")) {
    event.preventDefault();
    input.focus();
  }
});
list.addEventListener("click", close);
document.addEventListener("click", ({ target }) => {
  if (!(target as HTMLElement).closest("search")) close();
});
