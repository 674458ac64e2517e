import { referencePages } from "../scripts/reference/reference_pages.ts";
import { LOOK } from "../lib/judge/report/look.ts";
import { homeMarkup } from "./home_page.ts";
import { addressFrom, homePage, wholePage } from "./layout.ts";
import { type Rendered, renderMarkdown, type Target } from "./markdown.ts";
import { CALLED, type Chapter, chaptersOf, IN_MENU, pathOf } from "./navigation.ts";
import { searchIndex } from "./search_index.ts";
import { browserScripts } from "./browser_scripts.ts";
import { commitDates } from "./commit_dates.ts";
import { barRules } from "./terminal.ts";

const root = new URL("../", import.meta.url);

/** Pages of the repository that the site has under another path, of the same source. */
const SAME: Readonly<Record<string, string>> = {
  "proofs/README.md": "out/reference/theorems.md",
};

/** Folder of the pages of the chapters of proofs. */
const THEOREMS = "out/reference/theorems/";

/** The page that servers show for addresses below which there is nothing. */
const MISSING = "404.html";

/** The page of questions in the words of who asks, which the search knows each section by. */
const QUESTIONS = "docs/questions.md";

/** The forms of suite files and of schemas of tables, on the site for editors. */
const FORMS: readonly string[] = ["dpcheck.schema.json", "table.schema.json"];

/**
 * The files of the site, by their paths on it.
 *
 * @param repository the address below which the repository shows its files; without, links to sources are left out.
 * @throws {Error} for a link that leads nowhere.
 */
export async function siteFiles(
  repository?: string,
): Promise<Map<string, string | Uint8Array<ArrayBuffer>>> {
  const written = new Map(
    [...await referencePages()].map(([path, text]) => [`out/reference/${path}`, text]),
  );
  const questions = await Deno.readTextFile(new URL("site/pages/five_questions.html", root));
  const read = (source: string): string =>
    written.get(source) ?? Deno.readTextFileSync(new URL(source, root))
      .replace("<!-- five questions -->\n", () => questions);
  const entries = [...written.keys()].filter((path) =>
    /^out\/reference\/(?!README|theorems)[^/]+$/.test(path)
  );
  const chapters = chaptersOf({
    entries,
    chapters: [...written.keys()].filter((path) =>
      path.startsWith(THEOREMS) && path.endsWith("/README.md")
    ),
  });
  const sources = new Set([...chapters.flatMap(({ pages }) => pages), "site/pages/404.md"]);
  const rendered = new Map<string, Rendered>(), pictures = new Map<string, string>();
  const sourceOf = new Map<string, string>();
  // A set that grows while it is read is read to its end.
  for (const source of sources) {
    const resolve = (link: string): Target | undefined => {
      if (/^(https?:|#)/.test(link)) return { address: link };
      const { pathname, hash } = new URL(link, `file:///${source}`);
      const path = decodeURIComponent(pathname.slice(1)), target = SAME[path] ?? path;
      if (!written.has(target) && !exists(target)) {
        throw new Error(`${source}: nothing is at ${link}`);
      }
      const address = (path: string): string => addressFrom(pathOf(source), path) + hash;
      const form = FORMS.find((name) => target === `docs/${name}`);
      if (form !== undefined) return { address: address(form) };
      if (target.endsWith(".md")) {
        sources.add(target);
        return { address: address(pathOf(target)), title: CALLED[target] ?? titleOf(read(target)) };
      }
      if (target.endsWith(".svg")) {
        pictures.set(target, read(target));
        return { address: address(target) };
      }
      return repository === undefined ? undefined : { address: `${repository}/${target}${hash}` };
    };
    const page = renderMarkdown(read(source), { resolve });
    rendered.set(pathOf(source), { ...page, title: CALLED[source] ?? page.title });
    sourceOf.set(pathOf(source), source);
  }
  const navigation = chapters.map(({ title, pages }) => ({
    title,
    links: pages.map((source) => {
      const path = pathOf(source);
      const title = IN_MENU[source] ?? rendered.get(path)!.title;
      return { path, title: title.replace(/^@dpcheck\/dpcheck\//, "") };
    }),
  }));
  const home = await homeMarkup();
  const scripts = await browserScripts(), dates = await commitDates();
  return new Map<string, string | Uint8Array<ArrayBuffer>>([
    ...[...rendered].map(([path, page]): [string, string] => {
      const own = `assets/${path.replace(/\.html$/, ".js")}`;
      const script = scripts.has(own) ? own : undefined;
      const source = sourceOf.get(path)!, updated = dates.get(source);
      const inline = path === MISSING ? read("site/browser/missing.js") : undefined;
      const placed = { path, source, updated, navigation, script, inline, repository };
      return [path, wholePage(page, placed)];
    }),
    ["index.html", homePage(home, { path: "index.html", navigation, repository })],
    ...scripts,
    ...pictures,
    ["assets/style.css", `${LOOK}${barRules()}${read("site/style.css")}`],
    ["assets/theme.js", read("site/browser/theme.js")],
    ["assets/icon.svg", read("site/icon.svg")],
    [
      "assets/search.json",
      searchIndex(
        [...rendered].filter(([path]) => path !== MISSING && path !== pathOf(QUESTIONS)),
        { asked: askedOf(read(QUESTIONS)) },
      ),
    ],
    ...FORMS.map((name): [string, string] => [name, read(`docs/${name}`)]),
    ["llms.txt", textForModels(rendered, chapters)],
  ]);
}

/** The questions of a list of links, by the places on the site to which they lead. */
function askedOf(list: string): Map<string, string> {
  const asked = new Map<string, string>();
  for (const [, question, link] of list.matchAll(/^- \[(.+)\]\((.+)\)$/gm)) {
    const { pathname, hash } = new URL(link!, `file:///${QUESTIONS}`);
    const place = pathOf(pathname.slice(1)) + decodeURIComponent(hash);
    asked.set(place, `${asked.get(place) ?? ""} ${question}`);
  }
  return asked;
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)![1]!.replaceAll("`", "");
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, root)) !== undefined;
  } catch {
    return false;
  }
}

/** A list of the pages with what each says first, as language models are given it (llmstxt.org). */
function textForModels(
  rendered: ReadonlyMap<string, Rendered>,
  chapters: readonly Chapter[],
): string {
  const first = ({ sections }: Rendered): string =>
    sections.find(({ text }) => text.trim() !== "")!.text.trim().replaceAll(/\s+/g, " ")
      .split(/(?<=\.) /)[0]!;
  return [
    "# dpcheck",
    "",
    `> ${first(rendered.get("readme.html")!)}`,
    ...chapters.flatMap(({ title, pages }) => [
      "",
      `## ${title}`,
      "",
      ...pages.map((source) => {
        const path = pathOf(source), page = rendered.get(path)!;
        return `- [${page.title}](${path}): ${first(page)}`;
      }),
    ]),
    "",
  ].join("\n");
}
