import { siteFiles } from "../../site/site_files.ts";

/** The address below which the files of the repository are said to be. */
export const REPOSITORY = "https://example.org/dpcheck/blob/main";

/** The files of the site, by their paths on it. */
export const files: ReadonlyMap<string, string | Uint8Array<ArrayBuffer>> = await siteFiles(
  REPOSITORY,
);
