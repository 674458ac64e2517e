import { quoteFor } from "../quote_for.ts";

/** A figure of a page: an image, what it says, and its numbers. */
export interface Figure {
  readonly title: string;
  /** Markup of the image, if there is one. */
  readonly image?: string;
  /** Markup above the image that says which colour is which. */
  readonly key?: string;
  /** Description of the image, in sentences. */
  readonly says: string;
  /** Heads and rows of the numbers, as texts. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Which colours the two datasets have. */
export const SIDES_KEY =
  '<p class="key"><span class="swatch left"></span> left dataset <span class="swatch right"></span> right dataset</p>';

/** Returns a figure as markup: its numbers can be unfolded where there is an image, and stand open where there is none. */
export function figureMarkup({ title, image, key = "", says, heads, rows }: Figure): string {
  const table = tableMarkup(heads, { rows, name: `${title}: the numbers` });
  const numbers = image === undefined
    ? table
    : `<details><summary>The numbers</summary>${table}</details>`;
  return `<figure>
<h3>${quoteFor("markup", title)}</h3>
${key}${image ?? ""}
<figcaption>${quoteFor("markup", says)}</figcaption>
${numbers}
</figure>`;
}

function tableMarkup(
  heads: readonly string[],
  { rows, name }: { readonly rows: readonly (readonly string[])[]; readonly name: string },
): string {
  const head = heads.map((text) => `<th scope="col">${quoteFor("markup", text)}</th>`).join("");
  const body = rows.map((row) =>
    `<tr>${row.map((text) => `<td>${quoteFor("markup", text)}</td>`).join("")}</tr>`
  );
  // A wide table scrolls by itself, by keyboard too.
  return `<div class="scroll" tabindex="0" role="region" aria-label="${
    quoteFor("markup", name)
  }"><table><thead><tr>${head}</tr></thead><tbody>
${body.join("\n")}
</tbody></table></div>`;
}
