import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as mechanisms from "../../lib/dp/mechanisms/mod.ts";
import { endlessCases } from "../../proofs/dp/mechanisms/checks/endless_cases.ts";
import { finiteCases } from "../../proofs/dp/mechanisms/checks/finite_cases.ts";
import { pageOf } from "../../scripts/reference/page_of.ts";
import { referencePages } from "../../scripts/reference/reference_pages.ts";
import { theorems } from "../../proofs/book.ts";
import { longTest } from "../long.ts";

/** Links of a page to pages that are not written, to symbols that it has not, and to files that are not in the repository. */
async function brokenLinks(path: string, pages: ReadonlyMap<string, string>): Promise<string[]> {
  const text = pages.get(path)!;
  const folder = new URL("../../out/reference/", import.meta.url);
  const headings = new Set(
    [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name!.toLowerCase()),
  );
  const broken: string[] = [];
  for (const [, link] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const target = new URL(link!, new URL(path, folder));
    const page = target.pathname.slice(folder.pathname.length);
    const isThere = link!.startsWith("#")
      ? headings.has(link!.slice(1))
      : target.pathname.startsWith(folder.pathname)
      ? pages.has(page)
      : await Deno.stat(target).then(({ isFile }) => isFile, () => false);
    if (!isThere) broken.push(`${path}: ${link}`);
  }
  return broken;
}

// Mutants: the path of a source with one folder too few; a page that is listed and not written; an export without a comment.
longTest(
  "deno task build reference has a page for each entry point and theorem, a sentence for each export, and links that lead somewhere, from mechanisms to their enumerations",
  async () => {
    const pages = await referencePages();
    const { exports } = JSON.parse(
      await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
    ) as { exports: Record<string, string> };
    for (const entry of Object.keys(exports)) {
      const page = pages.get(entry === "." ? "dpcheck.md" : `${entry.slice(2)}.md`);
      assert(page !== undefined, entry);
      const symbols = [...page.matchAll(/^\| \[(\w+)\]\((?:[\w-]+\.md)?#\w+\) \| (.*) \|$/gm)];
      assert(symbols.length > 0, entry);
      assertEquals(symbols.filter(([, , summary]) => summary === "").map(([, name]) => name), []);
    }
    for (const { id } of theorems) assert(pages.has(`theorems/${id}.md`), id);
    for (const path of pages.keys()) assertEquals(await brokenLinks(path, pages), []);
    requireLinksToEnumerations(pages.get("mechanisms.md")!);
  },
);

/** The section of each mechanism that is decided by enumeration leads to the theorem that does it. */
function requireLinksToEnumerations(page: string): void {
  const sections = new Map(page.split(/^## /m).map((text) => [text.split("\n", 1)[0]!, text]));
  const theorems = [
    ["mechanisms/shipped_by_enumeration", finiteCases],
    ["mechanisms/shipped_by_enumeration_certified", endlessCases],
  ] as const;
  for (const [id, cases] of theorems) {
    for (const { name, make } of cases) {
      const functions = [...String(make).matchAll(/\b(\w+)\(/g)].map(([, called]) => called!)
        .filter((called) => Object.hasOwn(mechanisms, called));
      assert(functions.length > 0, name);
      for (const called of functions) {
        assertStringIncludes(sections.get(called)!, `(theorems/${id}.md)`, called);
      }
    }
  }
}

Deno.test("a page has each symbol once, with its declaration, its members' comments and its examples", () => {
  const documentation = {
    doc: "See {@linkcode audit}.",
    symbols: ["assertPrivate", "AssertPrivateOptions"].map((name, k) => ({
      name,
      declarations: [{
        declarationKind: "export",
        kind: "function",
        location: {
          filename: new URL(
            `../../lib/judge/testing/${["assert_private", "private_options"][k]}.ts`,
            import.meta.url,
          ).href,
          line: 1,
        },
        jsDoc: {
          doc: "First | sentence. Second.",
          tags: [{ kind: "param", name: "subject", doc: "it" }],
        },
      }],
    })),
  };
  const page = pageOf("name", { documentation, page: "name.md", homeOf: () => "name.md" });
  assert(page.includes("See `audit`."));
  assert(page.includes("| [assertPrivate](#assertprivate) | First \\| sentence. |"));
  assert(page.includes("declare function") === false && page.includes("function assertPrivate<"));
  assert(
    page.includes(
      "/** ε in nats, in place of `claim`; needs `relation`. Under a metric it is that of a unit of distance. */",
    ),
  );
  assert(page.includes("- `subject`: it"));
});
