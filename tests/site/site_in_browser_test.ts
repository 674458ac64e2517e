import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { violations } from "../end_to_end/axe_violations.ts";
import type { Look } from "../end_to_end/browser.ts";
import { LONG } from "../long.ts";
import { builtSite } from "./built_site.ts";
import { CAN_LOOK, withSite } from "./with_site.ts";

const PHONE: Look = { width: 400, theme: "light" }, DESKTOP: Look = { width: 1280, theme: "dark" };
/** Pages, how they are looked at, and what they say, some of it by their scripts. */
const LOOKS: readonly (readonly [path: string, look: Look, says: string])[] = [
  ["index.html", PHONE, "Counterexample"],
  ["index.html", DESKTOP, "Test my function"],
  ["reading_a_report.html", PHONE, "7,507 of 10,072"],
  ["reference/index.html", DESKTOP, "Keep to a budget"],
  ["figures.html", DESKTOP, "NoisyHist2"],
  ["reference/theorems/mechanisms/laplace.html", DESKTOP, "Shipped code that it calls"],
  ["playground.html", PHONE, "Decide exactly"],
  // Mutant: colours of code that no dark page can have.
  ["playground.html", DESKTOP, "Decide exactly"],
  ["neighbours.html", DESKTOP, '--relation add-remove-one --rows \'{"type":"number"'],
  ["output_perturbation.html", PHONE, "no row moves it by more than 2/(nΛ) = 0.20"],
  ["breach.html", DESKTOP, "after 0 was seen, with 71.6%: a straight breach"],
  ["reusable_holdout.html", PHONE, "of its 100 answers are spent"],
];

// Mutants: a header of a table without a word; a faint colour; a table that no phone holds; scripts at addresses from the root.
Deno.test({
  name:
    "pages of the site fit a phone and a desktop, axe-core and the console find nothing, and the search leads to a section",
  ignore: !CAN_LOOK,
  fn: () =>
    withSite(async ({ browser, address, paths }) => {
      const pages = [...(await builtSite()).keys()].filter((path) =>
        path.endsWith(".html") && !path.startsWith("assets")
      );
      const all = pages.flatMap((path) =>
        [PHONE, DESKTOP].map((look) => [path, look, ""] as const)
      );
      for (const [path, look, says] of LONG ? [...LOOKS, ...all] : LOOKS) {
        await browser.open(address + path, look);
        assertEquals(await violations(browser), [], path);
        assertStringIncludes(String(await browser.evaluate("document.body.innerText")), says);
        const width = await browser.evaluate("document.documentElement.scrollWidth");
        assert(Number(width) <= look.width, `${path}: ${width} wide`);
      }
      assert(!paths.includes("assets/search.json"));
      const found = await browser.evaluate(`new Promise((resolve) => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
        document.activeElement.value = "audit a slow progrm";
        document.activeElement.dispatchEvent(new Event("input"));
        new MutationObserver(() => resolve(document.querySelector("#results a").href))
          .observe(document.querySelector("#results"), { childList: true });
      })`);
      const { pathname, hash } = new URL(String(found));
      assertEquals(pathname + hash, "/below/how_to.html#audit-a-slow-program");
      await browser.open(String(found), DESKTOP);
      assert(Number(await browser.evaluate("CSS.highlights.get('found').size")) > 10);
      assertEquals(browser.problems, []);
      // Mutant: an address of the icon below the folder that does not exist.
      await browser.open(`${address}reference/no/such.html`, PHONE);
      const home = await browser.evaluate(`new Promise((resolve) => {
        const link = document.querySelector("a.home"), home = () => link.href.endsWith("/below/index.html") && resolve(link.href);
        new MutationObserver(home).observe(link, { attributes: true });
        home();
      })`);
      assertEquals(home, `${address}index.html`);
      assertEquals(await violations(browser), []);
    }),
});
