import { markFound } from "./found_words.ts";
import "./search.ts";

// What every page does: copies code, changes between light and dark, and marks where the reader is.

for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button"), code = block.querySelector("code")!;
  const label = button.textContent = "Copy";
  button.type = "button";
  button.className = "copy";
  block.append(button);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      getSelection()!.selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => button.textContent = label, 2000);
  });
}

const theme = document.querySelector<HTMLButtonElement>("#theme")!;

function isDark(): boolean {
  const chosen = document.documentElement.style.colorScheme;
  return chosen === "" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}

function nameTheme(): void {
  theme.textContent = isDark() ? "☀" : "☾";
  theme.setAttribute("aria-label", isDark() ? "Change to light" : "Change to dark");
}

theme.addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  document.documentElement.style.colorScheme = next;
  try {
    localStorage.setItem("dpcheck-theme", next);
  } catch {
    // It holds for this page.
  }
  nameTheme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
nameTheme();

const onPage = document.querySelector<HTMLDetailsElement>("nav.on-page details"),
  isWide = matchMedia("(min-width: 80rem)");
if (onPage !== null) {
  const follow = (): boolean => onPage.open = isWide.matches;
  isWide.addEventListener("change", follow);
  onPage.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement) follow();
  });
  follow();
}

const places = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>("nav.on-page a")].map((link) => [
    decodeURIComponent(link.hash.slice(1)),
    link,
  ]),
);
if (places.size > 0) {
  const headings = [...places.keys()].map((id) => document.getElementById(id)!);
  const mark = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const here = passed.at(-1) ?? headings[0];
    for (const [id, link] of places) {
      if (id === here!.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let waiting = false;
  addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(() => (mark(), waiting = false));
    waiting = true;
  }, { passive: true });
  mark();
}

markFound();
