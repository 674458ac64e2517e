import { createHash } from "node:crypto";
import { quoteFor } from "./quote_for.ts";

const STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1b1b1b; --line: #8886; --refuted: #b71c1c;
  --not-refuted: #1b5e20; --failed: #8a4b00; --left: #1e88e5; --right: #f4511e; --shown: #6a1b9a;
  --event: #ffd54f99; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --page: #16181c; --text: #e8e8e8; --refuted: #ff8a80;
  --not-refuted: #81c784; --failed: #ffb74d; --left: #64b5f6; --right: #ff8a65; --shown: #ce93d8;
  --event: #8d6e0099; --link: #8ab4f8; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 58rem; margin: 2rem auto; padding: 0 1rem;
  background: var(--page); color: var(--text); }
a { color: var(--link); }
h1 { font-size: 1.4rem; } h1 span { display: block; letter-spacing: 0.06em; }
h2 { font-size: 1.05rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0 0 0.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
thead th { overflow-wrap: normal; }
@media (max-width: 32rem) { th { white-space: normal; } th, td { padding: 0.35rem 0.3rem; } }
h1, p, figcaption, li { overflow-wrap: anywhere; } svg { max-width: 100%; }
code { font: 0.9em/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.plain { font-size: 1.15rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
  gap: 1.5rem; }
figure { margin: 0; min-width: 0; } figcaption { font-size: 0.9rem; }
.plot { display: block; width: 100%; height: auto; font-family: system-ui, sans-serif; }
.key { font-size: 0.9rem; margin: 0; } .swatch { display: inline-block; width: 0.9em; height: 0.9em; }
.swatch.left { background: var(--left); } .swatch.right { background: var(--right); }
.swatch.shown { background: var(--shown); }
.scroll { max-height: 20rem; overflow: auto; }
.diff { list-style: none; padding: 0; } .diff li { padding: 0.15rem 0.5rem; border-left: 0.3rem solid var(--line); }
.diff li.left { border-color: var(--left); } .diff li.right { border-color: var(--right); }
.where { display: inline-block; min-width: 5.5rem; }
.copy pre { margin: 0.4rem 0; padding: 0.5rem; border: 1px solid var(--line); white-space: pre-wrap; }
button { font: inherit; padding: 0.2rem 0.8rem; }
.refuted { color: var(--refuted); } .not-refuted { color: var(--not-refuted); }
.failed, .inconclusive { color: var(--failed); }
`;

/** A self-contained HTML page: nothing is fetched, no script runs but the one given; light and dark. */
export function htmlPage(
  { title, body, style = "", script = "" }: {
    /** Text of the window's title: escaped here. */
    readonly title: string;
    /** Markup, escaped already. */
    readonly body: string;
    /** More rules of CSS. */
    readonly style?: string;
    /** The only script that the browser may run on this page. */
    readonly script?: string;
  },
): string {
  const hash = createHash("sha256").update(script).digest("base64");
  const allowed = script === "" ? "" : `; script-src 'sha256-${hash}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${allowed}">
<title>${quoteFor("markup", title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
${script === "" ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
}
