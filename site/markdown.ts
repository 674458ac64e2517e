import { Marked, type Tokens } from "marked";
import { escaped, highlighted, unbroken } from "./highlight.ts";
import { terminalMarkup } from "./terminal.ts";

/** Depth of a term that a paragraph defines: it is found like a heading, and no heading. */
const TERM_DEPTH = 7;

/** A heading, or a term that a paragraph begins with, and the text below it, which a search finds together. */
export interface Section {
  readonly title: string;
  /** Part of an address behind #. */
  readonly anchor: string;
  readonly depth: number;
  /** The words below it, without code blocks. */
  readonly text: string;
}

/** A page of Markdown as markup. */
export interface Rendered {
  readonly title: string;
  readonly markup: string;
  readonly sections: readonly Section[];
  /** Its first sentences, for previews of a link. */
  readonly description: string;
}

/** Target of a link. */
export interface Target {
  readonly address: string;
  /** Of a page, to be said where a link says the name of its file. */
  readonly title?: string;
}

/** Gives headings the anchors that GitHub gives them, so that links lead to the same place on the site and in the repository. */
class Anchors {
  readonly #given = new Map<string, number>();

  of(title: string): string {
    const anchor = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const before = this.#given.get(anchor) ?? 0;
    this.#given.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  }
}

/**
 * Renders a page. The first heading is its title.
 *
 * @param options.resolve what a link leads to; `undefined` for a link that only its text is left of.
 */
export function renderMarkdown(
  text: string,
  { resolve }: { readonly resolve: (link: string) => Target | undefined },
): Rendered {
  const anchors = new Anchors();
  const sections: { title: string; anchor: string; depth: number; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }): string {
        const inside = this.parser.parseInline(tokens);
        const title = unescaped(inside.replaceAll(/<[^>]*>/g, ""));
        const anchor = anchors.of(title);
        sections.push({ title, anchor, depth, text: "" });
        const shown = inside.replaceAll(/<\/?a\b[^>]*>/g, "");
        // Paths break behind their parts.
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${
          shown.includes("<") ? shown : shown.replaceAll("/", "/<wbr>")
        }</a></h${depth}>\n`;
      },
      paragraph({ tokens }): string {
        const inside = this.parser.parseInline(tokens);
        const term = termOf(tokens);
        if (term === undefined) return `<p>${inside}</p>\n`;
        const anchor = anchors.of(term);
        sections.push({ title: term, anchor, depth: TERM_DEPTH, text: "" });
        return `<p id="${anchor}">${inside}</p>\n`;
      },
      link({ href, text: said, tokens }): string {
        const target = resolve(href);
        const inside = said.endsWith(".md") && target?.title !== undefined
          ? escaped(target.title)
          : this.parser.parseInline(tokens).replaceAll(/(?<=^\w*[a-z])(?=[A-Z]\w*$)/g, "<wbr>");
        return target === undefined ? inside : `<a href="${escaped(target.address)}">${inside}</a>`;
      },
      codespan: ({ text: code }): string => `<code>${unbroken(escaped(code))}</code>`,
      image: ({ href, text: says }): string =>
        `<img src="${escaped(resolve(href)!.address)}" alt="${escaped(says)}">`,
      code: ({ text: code, lang = "" }): string => codeMarkup(code, lang),
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[]): string =>
          `<tr>${cells.map((cell) => this.tablecell(cell)).join("")}</tr>`;
        return `<div class="wide" tabindex="0"><table><thead>${
          row(token.header).replaceAll("<th>", '<th scope="col">').replaceAll(
            '<th scope="col"></th>',
            "<td></td>",
          )
        }</thead><tbody>${token.rows.map(row).join("\n")}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  let markup = "";
  for (const token of tokens) {
    const html = marked.parser([token]);
    markup += html;
    const last = sections.at(-1);
    if (last !== undefined && token.type !== "heading" && token.type !== "code") {
      last.text += ` ${unescaped(html.replaceAll(/<[^>]*>/g, " "))}`;
    }
  }
  const [first] = sections;
  if (first?.depth !== 1) {
    throw new Error("Cannot render a page: its first heading must be its title");
  }
  return { title: first.title, markup, sections, description: descriptionOf(sections) };
}

/** The term that a paragraph defines: the bold words with a full stop that it begins with. */
function termOf([first]: readonly Tokens.Generic[]): string | undefined {
  const text = first?.type === "strong" ? String(first.text) : "";
  return text.endsWith(".") && !/[`[]/.test(text) ? text.slice(0, -1) : undefined;
}

/** A block of code with its file's name, if it has one, and a button that copies it; or what a program prints. */
function codeMarkup(code: string, info: string): string {
  const [language = "", name = ""] = info.split(" ");
  if (language === "text" || language === "") {
    return `<pre class="terminal" tabindex="0"><code>${terminalMarkup(code)}</code></pre>\n`;
  }
  const file = name.includes(".") ? `<span class="file">${escaped(name)}</span>` : "";
  // What is wider than a phone is scrolled, by keys too; commands are broken.
  return `<div class="code">${file}<pre tabindex="0"${
    language === "sh" ? ' class="breaks"' : ""
  }><code>${highlighted(code, language) ?? escaped(code)}</code></pre></div>\n`;
}

/** The most characters of a description. */
const DESCRIPTION = 180;

function descriptionOf(sections: readonly Section[]): string {
  const text = (sections.find((section) => section.text.trim() !== "")?.text ?? "").trim()
    .replaceAll(/\s+/g, " ").replaceAll(/ ([.,;:)])/g, "$1");
  if (text.length <= DESCRIPTION) return text;
  const cut = text.slice(0, DESCRIPTION), end = cut.lastIndexOf(". ");
  return end > DESCRIPTION / 3 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(" "))} …`;
}

/** The text that markup stands for. */
function unescaped(markup: string): string {
  return markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
