import { assert, assertEquals } from "@std/assert";
import { violations } from "../end_to_end/axe_violations.ts";
import type { Look } from "../end_to_end/browser.ts";
import { CAN_LOOK, withSite } from "./with_site.ts";

const PHONE: Look = { width: 400, theme: "light" }, DESKTOP: Look = { width: 1280, theme: "dark" };
const LOOKS: readonly (readonly [path: string, look: Look])[] = [
  ["index.html", PHONE],
  ["figures.html", DESKTOP],
  ["reference/theorems/mechanisms/laplace.html", DESKTOP],
  ["playground.html", PHONE],
];

// Mutants: a header of a table without a word; a faint colour; a table that no phone holds; scripts at addresses from the root.
Deno.test({
  name:
    "pages of the site fit a phone and a desktop, axe-core and the console find nothing, and the search leads to a section",
  ignore: !CAN_LOOK,
  fn: () =>
    withSite(async ({ browser, address, paths }) => {
      for (const [path, look] of LOOKS) {
        await browser.open(address + path, look);
        assertEquals(await violations(browser), [], path);
        const width = await browser.evaluate("document.documentElement.scrollWidth");
        assert(Number(width) <= look.width, `${path}: ${width} wide`);
      }
      assert(!paths.includes("assets/search.json"));
      const found = await browser.evaluate(`new Promise((resolve) => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
        document.activeElement.value = "slow progr";
        document.activeElement.dispatchEvent(new Event("input"));
        new MutationObserver(() => resolve(document.querySelector("#found a").href))
          .observe(document.querySelector("#found"), { childList: true });
      })`);
      assertEquals(found, `${address}how_to.html#audit-a-slow-program`);
      assertEquals(browser.problems, []);
    }),
});
