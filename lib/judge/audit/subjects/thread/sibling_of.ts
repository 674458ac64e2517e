/** Returns the URL of the module `name` beside another one: with the ending `.ts` in the sources, and `.js` in the npm package. */
export function siblingOf(url: string, name: string): string {
  return new URL(name + url.slice(url.lastIndexOf(".")), url).href;
}
