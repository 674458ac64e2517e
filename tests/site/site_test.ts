import { assert, assertEquals } from "@std/assert";
import { findSections } from "../../site/browser/find_sections.ts";
import type { SearchIndex } from "../../site/search_index.ts";
import { files } from "./built_site.ts";

/** The most bytes of a page with all that it loads, but what is loaded when somebody searches. */
const MOST_BYTES = 200_000;

const textOf = (path: string): string => {
  const file = files.get(path)!;
  return typeof file === "string" ? file : "";
};
const pages = new Map(
  [...files.keys()].filter((path) => path.endsWith(".html")).map((path) => [path, textOf(path)]),
);

/** Bytes of a file, and of the scripts that it imports. */
function sizeOf(path: string): number {
  const text = textOf(path), own = new TextEncoder().encode(text).length;
  const imported = path.endsWith(".js") ? text.matchAll(/from '\.\/([^']+)'/g) : [];
  return [...imported].reduce((sum, [, name]) => sum + sizeOf(`assets/${name}`), own);
}

/** What is wrong with a page: addresses at which there is nothing, and too many bytes. */
function problemsOf(path: string, text: string): string[] {
  const problems: string[] = [];
  let bytes = sizeOf(path);
  for (const [, element, link] of text.matchAll(/<(\w+)[^>]*? (?:href|src)="([^"]*)"/g)) {
    if (/^https?:/.test(link!)) continue;
    const { pathname, hash } = new URL(link!, `file:///below/${path}`);
    const target = pathname.replace("/below/", "");
    const anchor = decodeURIComponent(hash.slice(1));
    if (link!.startsWith("/") || !files.has(target)) {
      problems.push(`${path}: nothing is at ${link}`);
    } else if (anchor !== "" && !textOf(target).includes(`id="${anchor}"`)) {
      problems.push(`${path}: ${target} has no ${hash}`);
    }
    if (element !== "a") bytes += sizeOf(target);
  }
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  if (new Set(ids).size < ids.length) problems.push(`${path}: an id stands twice`);
  if (bytes > MOST_BYTES) problems.push(`${path}: ${bytes} bytes`);
  return problems;
}

// Mutants: pages of folders without "../"; anchors with a hyphen too few; a page that is not listed.
Deno.test("every link of the site leads to a page and an anchor that are there, and no page is large", () => {
  assertEquals([...pages].flatMap(([path, text]) => problemsOf(path, text)), []);
  const page = '<a href="nothing.html"></a><a href="tutorial.html#nothing"></a><a href="/"></a>';
  assertEquals(problemsOf("index.html", page).length, 3);
});

Deno.test("the site has every page of docs, and llms.txt lists pages that are there", async () => {
  for await (const { name } of Deno.readDir(new URL("../../docs", import.meta.url))) {
    if (name.endsWith(".md")) assert(pages.has(name.replace(/\.md$/, ".html")), name);
  }
  assert(files.has("dpcheck.schema.json"));
  const listed = [...textOf("llms.txt").matchAll(/\]\(([^)]+)\): .+$/gm)].map(([, to]) => to!);
  assert(listed.length > 30);
  assertEquals(listed.filter((path) => !pages.has(path)), []);
});

Deno.test("findSections() finds the sections that have all words of a query, those of titles first", () => {
  const index = JSON.parse(textOf("assets/search.json")) as SearchIndex;
  const [slow] = findSections(index, "slow progr");
  assertEquals([slow?.path, slow?.anchor], ["how_to.html", "audit-a-slow-program"]);
  assert(findSections(index, "discreteLaplace").some(({ path }) => path.startsWith("reference/")));
  assertEquals(findSections(index, "slow progr xyzzy"), []);
  assertEquals(findSections(index, " "), []);
});
