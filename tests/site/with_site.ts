import { Browser, chromiumHere } from "../end_to_end/browser.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { builtSite } from "./built_site.ts";
import { serve } from "./serve.ts";

const chromium = await chromiumHere();

/** Whether there is a browser that pages can be looked at with. */
export const CAN_LOOK: boolean = chromium !== undefined && Deno.build.os !== "windows";

/** The site as a browser sees it. */
export interface Visited {
  readonly browser: Browser;
  /** Where its first page is. */
  readonly address: string;
  /** The paths below, of all that was asked for. */
  readonly paths: readonly string[];
}

/** Serves the site and does some work in a browser. */
export async function withSite(work: (visited: Visited) => Promise<void>): Promise<void> {
  const { address, paths, stop } = serve(await builtSite());
  await withFolder(async (folder) => {
    const browser = new Browser(chromium!, `${folder}/profile`);
    try {
      await work({ browser, address, paths });
    } finally {
      await browser.close();
      await stop();
    }
  });
}
