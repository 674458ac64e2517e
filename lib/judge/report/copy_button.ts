import { quoteFor } from "./quote_for.ts";

/** Returns a text to copy: a button, and the text. */
export function copyable(
  { id, name, text }: { readonly id: string; readonly name: string; readonly text: string },
): string {
  return `<div class="copy"><button type="button" data-copies="${id}">Copy ${name}</button>
<pre tabindex="0" role="region" aria-label="${name}"><code id="${id}">${
    quoteFor("markup", text)
  }</code></pre></div>`;
}

/** The script of a page with such buttons. Where there is no clipboard the text is selected. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll("[data-copies]")) {
  const name = button.textContent;
  button.addEventListener("click", async () => {
    const code = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => button.textContent = name, 2000);
  });
}
`;
