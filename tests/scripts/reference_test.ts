import { assert, assertEquals } from "@std/assert";
import { pageOf } from "../../scripts/reference/page_of.ts";
import { referencePages } from "../../scripts/reference/reference_pages.ts";

const folder = new URL("../../docs/reference/", import.meta.url);

async function written(under = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(`./${under}`, folder))) {
    paths.push(...isDirectory ? await written(`${under}${name}/`) : [`${under}${name}`]);
  }
  return paths;
}

Deno.test("docs/reference is what the comments and the theorems say: deno task reference writes it", async () => {
  const pages = await referencePages();
  assertEquals((await written()).sort(), [...pages.keys()].sort());
  for (const [path, text] of pages) {
    assert(await Deno.readTextFile(new URL(path, folder)) === text, `${path} is not in step`);
  }
});

Deno.test("a page has each symbol once, with its declaration, its members' comments and its examples", () => {
  const page = pageOf("name", {
    doc: "See {@linkcode audit}.",
    symbols: ["assertPrivate", "AssertPrivateOptions"].map((name, k) => ({
      name,
      declarations: [{
        declarationKind: "export",
        kind: "function",
        location: {
          filename: new URL(
            `../../lib/testing/${["assert_private", "private_options"][k]}.ts`,
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
  });
  assert(page.includes("See `audit`."));
  assert(page.includes("| [assertPrivate](#assertprivate) | First \\| sentence. |"));
  assert(page.includes("declare function") === false && page.includes("function assertPrivate<"));
  assert(page.includes("/** ε in nats, in place of `claim`; needs `relation`. */"));
  assert(page.includes("- `subject`: it"));
});
