import { createHash } from "node:crypto";
import { LOOK } from "./look.ts";
import { quoteFor } from "./quote_for.ts";

const STYLE = `${LOOK}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 58rem; margin: 2rem auto; padding: 0 1rem;
  background: var(--page); color: var(--text); }
a { color: var(--link); }
h1 { font-size: 1.4rem; line-height: 1.3; } h1 span { display: block; letter-spacing: 0.06em; font-size: 1.1em; }
h2 { font-size: 1.05rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0 0 0.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
thead th { overflow-wrap: normal; }
@media (max-width: 32rem) { th { white-space: normal; } th, td { padding: 0.35rem 0.3rem; } }
h1, p, figcaption, li { overflow-wrap: anywhere; } svg { max-width: 100%; }
code { font: 0.9em/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.copy pre { margin: 0.4rem 0; padding: 0.5rem; border: 1px solid var(--line); white-space: pre-wrap; }
button { font: inherit; color: inherit; padding: 0.2rem 0.8rem; background: var(--shade);
  border: 1px solid light-dark(#767676, #8a8a8a); border-radius: 6px; }
`;

/** Returns a self-contained HTML page: nothing is fetched, no script runs but the one given; light and dark. */
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
