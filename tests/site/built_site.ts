import { siteFiles } from "../../site/site_files.ts";

/** The files of the site, by their paths on it. */
export const files: ReadonlyMap<string, string | Uint8Array<ArrayBuffer>> = await siteFiles();
