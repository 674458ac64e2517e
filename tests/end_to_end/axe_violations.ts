import axe from "axe-core";
import type { Browser } from "./browser.ts";

/** What axe-core finds wrong on the page that is open. */
export async function violations(browser: Browser): Promise<unknown> {
  await browser.evaluate(axe.source);
  return await browser.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))",
  );
}
