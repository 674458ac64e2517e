import { escaped, type Rendered } from "./markdown.ts";

/** A link of the navigation. */
export interface Link {
  readonly title: string;
  /** Its path on the site. */
  readonly path: string;
}

/** The headings of a page that are listed at its start, where there are at least so many of them. */
const FEWEST_LISTED = 4;

/** The address of one path of the site on the page of another: the site may lie below any address. */
export function addressFrom(page: string, path: string): string {
  const up = "../".repeat(page.split("/").length - 1);
  return path === page ? page.slice(page.lastIndexOf("/") + 1) : `${up}${path}`;
}

/** What the pages below a page begin with. */
function folderOf(path: string): string {
  return path.replace(/(index)?\.html$/, "");
}

/**
 * A whole page. Nothing is loaded from elsewhere.
 *
 * @param options.script the path of a script that this page has besides those of every page.
 */
export function wholePage(
  { title, markup, sections }: Rendered,
  { path, navigation, script }: {
    readonly path: string;
    readonly navigation: readonly { readonly title: string; readonly links: readonly Link[] }[];
    readonly script?: string | undefined;
  },
): string {
  const to = (other: string): string => addressFrom(path, other);
  const listed = navigation.flatMap(({ links }) => links.map((link) => link.path));
  // A page that is not listed, as that of a theorem, is below one that is.
  const above = listed.includes(path) ? undefined : listed.map(folderOf)
    .filter((folder) => folder !== "" && path.startsWith(folder))
    .sort((a, b) => b.length - a.length)[0];
  const currentness = (other: string): string => {
    if (other === path) return ' aria-current="page"';
    return folderOf(other) === above ? ' aria-current="true"' : "";
  };
  const parts = navigation.map(({ title: part, links }) =>
    `<h2>${part}</h2>\n<ul>${
      links.map((link) =>
        `<li><a href="${to(link.path)}"${currentness(link.path)}>${escaped(link.title)}</a></li>`
      ).join("\n")
    }</ul>`
  );
  const headings = sections.filter(({ depth }) => depth === 2);
  // The table of a page of the reference lists its headings already.
  const onPage = headings.length < FEWEST_LISTED || path.startsWith("reference/") ? "" : [
    "<details><summary>On this page</summary>\n<ul>",
    ...headings.map(({ title: heading, anchor }) =>
      `<li><a href="#${anchor}">${escaped(heading)}</a></li>`
    ),
    "</ul></details>",
  ].join("\n");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; base-uri 'none'; form-action 'none'">
<title>${escaped(title)}${path === "index.html" ? "" : " · dpcheck"}</title>
<link rel="icon" href="${to("assets/icon.svg")}">
<link rel="stylesheet" href="${to("assets/style.css")}">
<script type="module" src="${to("assets/search.js")}"></script>${
    script === undefined ? "" : `\n<script type="module" src="${to(script)}"></script>`
  }
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${to("index.html")}">dpcheck</a>
<search><input id="search" type="search" aria-label="Search" placeholder="Search" autocomplete="off"><ol id="results" hidden></ol></search>
<a class="contents" href="#contents">Contents</a>
</header>
<main id="content">
${markup.replace("</h1>", `</h1>${onPage}`)}</main>
<nav id="contents" aria-label="Contents">
${parts.join("\n")}
</nav>
</body>
</html>
`;
}
