import { assert, assertEquals } from "@std/assert";
import { commitDates } from "../../site/commit_dates.ts";
import { finderOf } from "../../site/browser/search_engine.ts";
import { builtSite } from "./built_site.ts";

/** The most bytes of a page with all that it loads, but what is loaded when somebody searches. */
const MOST_BYTES = 200_000;

const files = new Map<string, string | Uint8Array>();
const textOf = (path: string): string => {
  const file = files.get(path)!;
  return typeof file === "string" ? file : "";
};
const pages = new Map<string, string>();

/** A test of the site, which the first one makes. */
function siteTest(name: string, fn: () => void | Promise<void>): void {
  Deno.test(name, async () => {
    for (const [path, file] of await builtSite()) {
      files.set(path, file);
      if (path.endsWith(".html")) pages.set(path, textOf(path));
    }
    await fn();
  });
}

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
siteTest(
  "every link of the site leads to a page and an anchor that are there, and no page is large",
  () => {
    assertEquals([...pages].flatMap(([path, text]) => problemsOf(path, text)), []);
    const page = '<a href="nothing.html"></a><a href="tutorial.html#nothing"></a><a href="/"></a>';
    assertEquals(problemsOf("index.html", page).length, 3);
  },
);

siteTest("the site has every page of docs, and llms.txt lists pages that are there", async () => {
  for await (const { name } of Deno.readDir(new URL("../../docs", import.meta.url))) {
    if (name.endsWith(".md")) assert(pages.has(name.replace(/\.md$/, ".html")), name);
  }
  assert(files.has("dpcheck.schema.json"));
  const listed = [...textOf("llms.txt").matchAll(/\]\(([^)]+)\): .+$/gm)].map(([, to]) => to!);
  assert(listed.length > 30);
  assertEquals(listed.filter((path) => !pages.has(path)), []);
});

/** Queries, and a section that must be among the first three that are found: with typos, in parts, and as questions. */
const QUERIES: readonly (readonly [query: string, path: RegExp])[] = [
  ["slow progr", /^how_to\.html#audit-a-slow-program$/],
  ["laplce", /laplace/i],
  ["histgram", /histogram/i],
  ["discreteLaplace", /^reference\/.*#discretelaplace$/],
  ["inconclusive", /^verdicts\.html#inconclusive$/],
  ["what does not followed mean", /^verdicts\.html#not-followed$/],
  ["how many draws does a test need", /^limit_of_draws\.html/],
  ["which line leaks", /^recording\.html|^how_to\.html#find-the-line-that-leaks$/],
  ["how do I choose epsilon and delta", /^choosing_a_claim\.html/],
  ["why does my program hang", /^errors\.html#program-hung$/],
  ["github actions without a registry", /^continuous_integration\.html/],
  ["add remove one or replace one?", /^choosing_a_claim\.html|^neighbours\.html|^glossary\.html/],
  ["install", /^(index|readme|commands)\.html#(install|other-ways-to-install.*)$/],
  ["gausian noise", /gaussian/i],
  ["audit a pyton function", /python|readme\.html#audit-a-function/i],
  // Weighed by these and by seventy that are not here. Of twenty that were written before the page of questions and looked at after it, 14 were answered without it and 17 with it.
  ["wich epsilon shoud i take", /^choosing_a_claim\.html/],
  ["how often is a correct program refuted", /^false_alarms\.html/],
  ["what is an e-value", /^glossary\.html#e-value$/],
  ["share work between several computers", /^many_machines\.html/],
  ["exit code 4", /^verdicts\.html/],
  ["why should i trust the result", /trust|^auditor\.html/],
  ["compare with opendp", /^comparison\.html/],
  ["how much of my budget is left", /^commands\.html#ask-a-table/],
];

// Mutants: no typos; words of questions that count; an index without titles.
siteTest(
  "the search finds the section that answers, through typos and questions in plain words",
  () => {
    const find = finderOf(textOf("assets/search.json"));
    const missed = QUERIES.flatMap(([query, wanted]) => {
      const found = find(query).slice(0, 3).map(({ path, anchor }) => `${path}#${anchor}`);
      return found.some((place) => wanted.test(place)) ? [] : [[query, ...found]];
    });
    assertEquals(missed, []);
    assertEquals(find(" "), []);
  },
);

// Mutant: paths of the log below the folder of the site alone.
siteTest("pages of the repository say when they were last changed, where git knows", async () => {
  const dates = await commitDates();
  const says = [...pages].filter(([, text]) =>
    /Last updated: <time datetime="\d{4}-\d\d-\d\d">/.test(text)
  );
  if (dates.size === 0) assertEquals(says, []);
  else {assert(
      textOf("tutorial.html").includes(
        `Last updated: <time datetime="${dates.get("docs/tutorial.md")}"`,
      ),
    );}
});
