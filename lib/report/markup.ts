/**
 * Text as it may stand in XML 1.0 or HTML, between tags or in a quoted attribute. Characters that XML
 * forbids even when escaped (most control characters, lone surrogates) become U+FFFD.
 */
export function escapeMarkup(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
