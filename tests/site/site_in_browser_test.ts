import { assert, assertEquals } from "@std/assert";
import { violations } from "../end_to_end/axe_violations.ts";
import { Browser, chromiumHere, type Look } from "../end_to_end/browser.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { files } from "./built_site.ts";
import { serve } from "./serve.ts";

const PHONE: Look = { width: 400, theme: "light" }, DESKTOP: Look = { width: 1280, theme: "dark" };
const LOOKS: readonly (readonly [path: string, look: Look])[] = [
  ["index.html", PHONE],
  ["figures.html", DESKTOP],
  ["reference/core.html", PHONE],
  ["reference/theorems/mechanisms/laplace.html", DESKTOP],
];

const chromium = await chromiumHere();
const canLook = chromium !== undefined && Deno.build.os !== "windows";

/** Opens pages of the site, served below a folder of some machine. */
async function withSite(
  work: (browser: Browser, address: string, paths: readonly string[]) => Promise<void>,
): Promise<void> {
  const { address, paths, stop } = serve(files);
  await withFolder(async (folder) => {
    const browser = new Browser(chromium!, `${folder}/profile`);
    try {
      await work(browser, address, paths);
    } finally {
      await browser.close();
      await stop();
    }
  });
}

// Mutants: a code block that keys cannot scroll; a faint colour; a table that no phone holds; scripts at addresses from the root.
Deno.test({
  name:
    "pages of the site fit a phone and a desktop, axe-core and the console find nothing, and the search leads to a section",
  ignore: !canLook,
  fn: () =>
    withSite(async (browser, address, paths) => {
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
