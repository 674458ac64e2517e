import { escapeMarkup } from "./markup.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --refuted: #c62828; --not-refuted: #2e7d32;
  --failed: #b26a00; --left: #1e88e5; --right: #f4511e; }
@media (prefers-color-scheme: dark) { :root { --refuted: #ff6e6e; --not-refuted: #81c784;
  --failed: #ffb74d; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h1 span { display: block; letter-spacing: 0.06em; }
h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
@media (max-width: 32rem) { th { white-space: normal; } }
h1, p { overflow-wrap: anywhere; } svg { max-width: 100%; }
code { font: 0.9em/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.refuted { color: var(--refuted); } .not-refuted { color: var(--not-refuted); }
.failed, .inconclusive, .unconfirmed { color: var(--failed); }
`;

/** A self-contained HTML page: no script, nothing fetched, light and dark. */
export function htmlPage(
  { title, body, style = "" }: {
    /** Text of the window's title: escaped here. */
    readonly title: string;
    /** Markup, escaped already. */
    readonly body: string;
    /** More rules of CSS. */
    readonly style?: string;
  },
): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
