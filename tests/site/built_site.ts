import { siteFiles } from "../../site/site_files.ts";

/** The address below which the files of the repository are said to be. */
export const REPOSITORY = "https://example.org/dpcheck/blob/main";

/** The files of the site, by their paths on it. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array<ArrayBuffer>>;

let built: Promise<SiteFiles> | undefined;

/** The site, made when the first test asks for it: that takes ten seconds. */
export function builtSite(): Promise<SiteFiles> {
  return built ??= siteFiles(REPOSITORY);
}
