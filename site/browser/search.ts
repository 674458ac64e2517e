import type { Finder } from "./search_engine.ts";
import { FOUND } from "./found_words.ts";
import type { SectionFound } from "./search_options.ts";

// The search of every page. Engine and index are loaded when somebody begins to search.

const assets = import.meta.url;
const MOST_SHOWN = 12;

const input = document.querySelector<HTMLInputElement>("#search")!;
const list = document.querySelector<HTMLOListElement>("#results")!;
let loading: Promise<Finder> | undefined;

function load(): Promise<Finder> {
  return loading ??= Promise.all([
    import("./search_engine.ts"),
    fetch(new URL("search.json", assets)).then((answer) => answer.text()),
  ]).then(([{ finderOf }, index]) => finderOf(index));
}

function itemOf({ title, page, path, anchor, shown, terms }: SectionFound): HTMLLIElement {
  const link = document.createElement("a"), where = document.createElement("small");
  const address = new URL(`../${path}#${anchor}`, assets);
  address.searchParams.set(FOUND, terms.join(" "));
  link.href = address.href;
  link.append(title);
  where.append(page === title ? shown : `${page} · ${shown}`);
  link.append(where);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function show(): Promise<void> {
  const query = input.value;
  const find = await load();
  if (query !== input.value) return;
  const items = find(query).slice(0, MOST_SHOWN).map(itemOf);
  if (items.length === 0) {
    const nothing = document.createElement("li");
    nothing.append("Nothing was found. Try one word of what you look for.");
    items.push(nothing);
  }
  list.replaceChildren(...items);
  list.hidden = query.trim() === "";
}

function close(): void {
  list.hidden = true;
}

/** Moves through the results by arrow keys. */
function move(by: number): void {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = at + by;
  if (next < 0) input.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
}

input.addEventListener("focus", () => void load());
input.addEventListener("input", () => void show());
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (!(target instanceof HTMLElement)) return;
  if (key === "Escape" && !list.hidden) {
    close();
    input.focus();
  } else if ((key === "ArrowDown" || key === "ArrowUp") && target.closest("search") !== null) {
    event.preventDefault();
    move(key === "ArrowDown" ? 1 : -1);
  } else if (key === "Enter" && target === input) {
    list.querySelector("a")?.click();
  } else if (key === "k" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    input.focus();
  } else if (
    key === "/" && !target.isContentEditable && !target.closest("input, textarea, select, .editor")
  ) {
    event.preventDefault();
    input.focus();
  }
});
list.addEventListener("click", close);
document.addEventListener("click", ({ target }) => {
  if (!(target as HTMLElement).closest("search")) close();
});
