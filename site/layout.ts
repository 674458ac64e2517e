import { createHash } from "node:crypto";
import { escaped } from "./highlight.ts";
import type { Rendered } from "./markdown.ts";

/** A link of the navigation. */
export interface Link {
  readonly title: string;
  /** Its path on the site. */
  readonly path: string;
}

/** A part of the navigation. */
export interface Part {
  readonly title: string;
  readonly links: readonly Link[];
}

/** Headings from which on a page lists them. */
const FEWEST_LISTED = 3;

/** The links at the top of every page. */
const TOP: readonly Link[] = [
  { title: "Guide", path: "tutorial.html" },
  { title: "Playground", path: "playground.html" },
  { title: "Reference", path: "reference/index.html" },
  { title: "Book of statements", path: "reference/theorems.html" },
];

/** The address of one path of the site on the page of another: the site may lie below any address. */
export function addressFrom(page: string, path: string): string {
  const up = "../".repeat(page.split("/").length - 1);
  return path === page ? page.slice(page.lastIndexOf("/") + 1) : `${up}${path}`;
}

/** Returns the path with which the pages below a page begin. */
function folderOf(path: string): string {
  return path.replace(/(index)?\.html$/, "");
}

/** Address of a page, and its parts. */
interface Placed {
  readonly path: string;
  /** Its source in the repository; `undefined` where it is made of others. */
  readonly source?: string | undefined;
  /** The day of its last commit. */
  readonly updated?: string | undefined;
  readonly navigation: readonly Part[];
  /** The path of a script that this page has besides those of every page. */
  readonly script?: string | undefined;
  /** A script that stands in the page, for one that does not know where its scripts are. */
  readonly inline?: string | undefined;
  /** The address below which the repository shows its files. */
  readonly repository?: string | undefined;
}

/** The beginning of every page. Nothing is loaded from elsewhere. */
function headMarkup(
  { title, description }: Pick<Rendered, "title" | "description">,
  { path, script, inline }: Placed,
): string {
  const to = (other: string): string => addressFrom(path, other);
  const name = path === "index.html" ? title : `${title} · dpcheck`;
  // The playground runs WebAssembly in its sandbox alone; this is the policy of the pages.
  const policy = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'" + (
    inline === undefined
      ? ""
      : `; script-src 'self' 'sha256-${createHash("sha256").update(inline).digest("base64")}'`
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(name)}</title>
<meta name="description" content="${escaped(description)}">
<meta property="og:site_name" content="dpcheck">
<meta property="og:type" content="${path === "index.html" ? "website" : "article"}">
<meta property="og:title" content="${escaped(name)}">
<meta property="og:description" content="${escaped(description)}">
<meta name="twitter:card" content="summary">
<link rel="icon" href="${to("assets/icon.svg")}">
<link rel="stylesheet" href="${to("assets/style.css")}">
<script src="${to("assets/theme.js")}"></script>
<script type="module" src="${to("assets/page.js")}"></script>${
    script === undefined ? "" : `\n<script type="module" src="${to(script)}"></script>`
  }${inline === undefined ? "" : `\n<script type="module">${inline}</script>`}
</head>`;
}

function headerMarkup({ path, repository, navigation }: Placed): string {
  const to = (other: string): string => addressFrom(path, other);
  const parts = navigation.find(({ links }) => links.some((link) => link.path === path));
  const isHere = (link: Link): boolean => {
    if (link.path === path) return true;
    if (link.path === "reference/index.html") return parts?.title === "Reference";
    return link.path === "reference/theorems.html" && parts?.title === "The book";
  };
  return `<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${to("index.html")}"><img src="${
    to("assets/icon.svg")
  }" alt="" width="22" height="22">dpcheck</a>
<nav class="top" aria-label="Main">${
    TOP.map((link) =>
      `<a href="${to(link.path)}"${isHere(link) ? ' aria-current="true"' : ""}>${link.title}</a>`
    ).join("")
  }</nav>
<search><input id="search" type="search" aria-label="Search, or ask a question" placeholder="Search or ask  /" autocomplete="off"><ol id="results" hidden></ol></search>
<button type="button" id="theme" aria-label="Light or dark"></button>
${
    repository === undefined
      ? ""
      : `<a class="repository" href="${escaped(treeOf(repository))}">Repository</a>`
  }
<a class="menu" href="#contents">Menu</a><a class="menu shut" href="#content">Close</a>
</header>`;
}

/** The address of the repository itself. */
function treeOf(repository: string): string {
  return repository.replace(/\/(-\/)?(blob|tree|src)\/.*$/, "");
}

/** The address at which a file can be edited. */
function editAddress(repository: string, source: string): string {
  return `${repository.replace(/\/blob\//, "/edit/")}/${source}`;
}

function footerMarkup({ path, source, updated, repository, navigation }: Placed): string {
  const to = (other: string): string => addressFrom(path, other);
  const all = navigation.flatMap(({ links }) => links);
  const at = all.findIndex((link) => link.path === path);
  const parent = at >= 0 ? undefined : aboveOf(path, all);
  const links = [
    ...(parent === undefined ? [] : [["up", "Back to", all.find((link) => link.path === parent)!]]),
    ...(at > 0 ? [["prev", "Before", all[at - 1]!]] : []),
    ...(at >= 0 && at + 1 < all.length ? [["next", "Next", all[at + 1]!]] : []),
  ] as [string, string, Link][];
  const about = [
    ...(updated === undefined
      ? []
      : [`Last updated: <time datetime="${updated}">${updated}</time>`]),
    ...(repository === undefined || source === undefined || source.startsWith("out/")
      ? []
      : [`<a href="${escaped(editAddress(repository, source))}">Edit this page</a>`]),
  ];
  return `<footer>
${about.length === 0 ? "" : `<p>${about.join(" · ")}</p>\n`}<div class="ways">${
    links.map(([kind, says, link]) =>
      `<a class="${kind}" href="${to(link.path)}"><small>${says}</small>${escaped(link.title)}</a>`
    ).join("")
  }</div>
</footer>`;
}

/** The listed page that a page without a place in the navigation is below. */
function aboveOf(path: string, links: readonly Link[]): string | undefined {
  return links.map((link) => link.path)
    .filter((other) => folderOf(other) !== "" && path.startsWith(folderOf(other)))
    .sort((a, b) => b.length - a.length)[0] ?? links[0]?.path;
}

function navigationMarkup({ path, navigation }: Placed): string {
  const to = (other: string): string => addressFrom(path, other);
  const all = navigation.flatMap(({ links }) => links);
  const isListed = path === "index.html" || all.some((link) => link.path === path);
  const above = isListed ? undefined : aboveOf(path, all);
  const currentness = (other: string): string =>
    other === path ? ' aria-current="page"' : other === above ? ' aria-current="true"' : "";
  return navigation.map(({ title, links }, i) => {
    const isOpen = i < 2 || links.some((link) => link.path === path || link.path === above);
    return `<details${isOpen ? " open" : ""}><summary>${title}</summary>\n<ul>${
      links.map((link) =>
        `<li><a href="${to(link.path)}"${currentness(link.path)}>${escaped(link.title)}</a></li>`
      ).join("\n")
    }</ul></details>`;
  }).join("\n");
}

/** The headings of a page, or nothing where they are few, or where a table lists them already. */
function headingsOf({ sections }: Rendered, path: string): string {
  const isLong = path.startsWith("reference/") && sections.length > 60;
  const listed = sections.filter(({ depth }) => depth === 2 || (depth === 3 && !isLong));
  if (listed.filter(({ depth }) => depth === 2).length < FEWEST_LISTED) return "";
  return `<ul>\n${
    listed.map(({ title, anchor, depth }) =>
      `<li${depth === 3 ? ' class="deeper"' : ""}><a href="#${anchor}">${escaped(title)}</a></li>`
    ).join("\n")
  }\n</ul>`;
}

/** A whole page. */
export function wholePage(page: Rendered, placed: Placed): string {
  const headings = headingsOf(page, placed.path);
  // Beside the text where there is room, and opened there by the script of every page.
  const onPage = headings === ""
    ? ""
    : `<nav class="on-page" aria-label="On this page"><details><summary>On this page</summary>\n${headings}</details></nav>\n`;
  return `${headMarkup(page, placed)}
<body>
${headerMarkup(placed)}
${onPage}<main id="content">
${page.markup}${footerMarkup(placed)}
</main>
<nav id="contents" aria-label="Contents">
${navigationMarkup(placed)}
</nav>
</body>
</html>
`;
}

/** The first page, which has no navigation beside it. */
export function homePage(page: Rendered, placed: Placed): string {
  return `${headMarkup(page, placed)}
<body class="front">
${headerMarkup(placed)}
<main id="content">
${page.markup}
</main>
<nav id="contents" class="sitemap" aria-label="Contents">
${navigationMarkup({ ...placed, navigation: placed.navigation.map((part) => part) })}
</nav>
</body>
</html>
`;
}
