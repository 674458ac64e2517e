import { pure } from "../lib/core/claims/claim.ts";
import { SeededSource } from "../lib/core/random/seeded_source.ts";
import { addRemoveOne } from "../lib/core/relations/relation.ts";
import { audit } from "../lib/judge/audit/audit.ts";
import { functionSubject } from "../lib/judge/audit/subjects/function_subject.ts";
import { outputFigure } from "../lib/judge/report/figures/output_figure.ts";
import { terminalReport } from "../lib/judge/report/terminal.ts";
import { highlighted } from "./highlight.ts";
import type { Rendered } from "./markdown.ts";
import { terminalMarkup } from "./terminal.ts";

const SENTENCE =
  "dpcheck runs your function on neighbouring datasets and finds out whether it gives away more than the ε it claims: with a counterexample, a stated error, and the line.";

/** The function that is audited on the first page, as text and as code. */
const CODE = `// Claims ε = 1 where a customer comes or goes.
function totalSpending(rows, source) {
  const noise = source.laplace({ scale: 10 });
  return rows.reduce((a, b) => a + b, 0) + noise;
}`;

const totalSpending = (
  rows: unknown,
  source: unknown,
): number =>
  (rows as number[]).reduce((a, b) => a + b, 0) +
  (source as { laplace(options: { scale: number }): number }).laplace({ scale: 10 });

/** A way in. */
interface Way {
  readonly title: string;
  readonly says: string;
  readonly path: string;
  readonly link: string;
}

const WAYS: readonly Way[] = [
  {
    title: "Test my function",
    says:
      "In this page, in JavaScript or Python, without installing anything. Or at a prompt, in any language.",
    path: "playground.html",
    link: "Open the playground",
  },
  {
    title: "Release statistics",
    says:
      "Counts, means, quantiles and groups of a table, with noise that covers them, intervals, and a budget that nobody overspends.",
    path: "tables.html",
    link: "Ask a table",
  },
  {
    title: "Read the proofs",
    says:
      "A book of statements about differential privacy, each with its check. Some that were published fall.",
    path: "reference/theorems.html",
    link: "Open the book",
  },
];

/** Way in for readers who have only one of them. */
const INSTALLS: readonly { readonly name: string; readonly code: string; readonly says: string }[] =
  [
    {
      name: "Node",
      code: `# not on npm yet: in a clone of dpcheck
npx --yes deno@2.9.6 task build npm
# in your project, beside the clone
mkdir -p vendor
npm pack --pack-destination vendor \\
  ../dpcheck/out/npm/dp ../dpcheck/out/npm/dpcheck
npm install --save-dev ./vendor/dpcheck-*.tgz
npx dpcheck init`,
      says: "Node 20.11 or later. Nothing else: npx brings Deno for the build.",
    },
    {
      name: "Deno",
      code: `# not on npm yet: in a clone of dpcheck
deno task build npm
# in your project, beside the clone
mkdir -p vendor
deno x -A npm:npm pack --pack-destination vendor \\
  ../dpcheck/out/npm/dp ../dpcheck/out/npm/dpcheck
deno x -A npm:npm install --save-dev ./vendor/dpcheck-*.tgz
deno x -A dpcheck init`,
      says: "Deno 2.9. Nothing else: Deno runs npm, too.",
    },
    {
      name: "Python",
      code: `# install dpcheck itself with Node or Deno, see there; then
npx dpcheck init --function stats.py:mean_age`,
      says:
        "Programs that dpcheck starts find its adapter. For tests of your own, pip install ../dpcheck/adapters/python.",
    },
    {
      name: "R",
      code: `# install dpcheck itself with Node or Deno, see there; then
Rscript -e 'install.packages("jsonlite")'
npx dpcheck init --function stats.R:mean_age`,
      says: "Programs that dpcheck starts find its adapter.",
    },
  ];

/** The first page: one sentence, a real audit, three ways in, and install lines. */
export async function homeMarkup(): Promise<Rendered> {
  const { text, picture } = await realAudit();
  const ways = WAYS.map(({ title, says, path, link }) =>
    `<a class="way" href="${path}"><h2>${title}</h2><p>${says}</p><span>${link} →</span></a>`
  ).join("\n");
  const installs = INSTALLS.map(({ name, code, says }, i) => {
    const id = `install-${name.toLowerCase()}`;
    return `<input type="radio" name="install" id="${id}"${
      i === 0 ? " checked" : ""
    }><label for="${id}">${name}</label>
<div class="panel"><div class="code"><pre class="breaks" tabindex="0"><code>${
      highlighted(code, "sh")
    }</code></pre></div><p>${says}</p></div>`;
  }).join("\n");
  const markup = `<div class="hero">
<div>
<h1 id="dpcheck">Does this code keep its privacy claim?</h1>
<p class="lead">${SENTENCE}</p>
<p class="actions"><a class="primary" href="playground.html">Try it in the browser</a> <a class="secondary" href="tutorial.html">First audit in ten minutes</a></p>
</div>
<figure class="audit">
<div class="code"><pre tabindex="0"><code>${highlighted(CODE, "js")}</code></pre></div>
<pre class="terminal appears" tabindex="0"><code>${terminalMarkup(text)}</code></pre>
${picture}
<figcaption>A real audit, made when this page was built: outputs with <span class="left-key">one customer who spends 70</span> and <span class="right-key">without</span>. Under the claim the two heaps would nearly coincide.</figcaption>
</figure>
</div>
<div class="ways-in">
${ways}
</div>
<section class="install">
<h2 id="install">Install</h2>
<fieldset><legend>What you have</legend>
${installs}
</fieldset>
</section>
<section class="points">
<div><h2 id="sound">Sound</h2><p>A true claim is refuted with probability α at most, whatever the program does between draws. <a href="auditor.html">How an audit works</a></p></div>
<div><h2 id="exact">Exact where it can be</h2><p>Discrete programs are run on all paths, Laplace and Gaussian ones proved. <a href="programs.html#draws-that-can-be-enumerated">What can be decided</a></p></div>
<div><h2 id="any-language">Any language</h2><p>Python, R, JavaScript, C, Go, Rust, or JSON on a pipe. <a href="programs.html">What can be audited</a></p></div>
<div><h2 id="honest">Honest about limits</h2><p>Every report says what its run could not see. <a href="limits.html">Limits</a></p></div>
</section>
`;
  return {
    title: "dpcheck: does this code keep its differential-privacy claim?",
    description: SENTENCE,
    markup,
    sections: [
      { title: "dpcheck", anchor: "dpcheck", depth: 1, text: SENTENCE },
      {
        title: "Install",
        anchor: "install",
        depth: 2,
        text: INSTALLS.map(({ name, says, code }) => `${name} ${says} ${code}`).join(" "),
      },
    ],
  };
}

/** An audit of the function above: the beginning of its report, and the picture of its outputs. */
async function realAudit(): Promise<{ readonly text: string; readonly picture: string }> {
  const claim = pure({ epsilon: 1, relation: addRemoveOne });
  const report = await audit(
    functionSubject(totalSpending, {
      name: "totalSpending",
      source: new SeededSource(1).split("subject"),
      claim,
    }),
    {
      claim,
      domain: { rows: { type: "number", min: 0, max: 70 }, size: { min: 0, max: 4 } },
      seed: 1,
      details: true,
    },
  );
  const outputs = report.details?.outputs;
  if (report.verdict !== "refuted" || outputs === undefined || outputs === null) {
    throw new Error("Cannot build the first page: its audit must refute the claim");
  }
  // The verdict, the bound and the counterexample: what a first look needs.
  const [verdict, bound] = terminalReport(report).split("\n");
  const [, counterexample = ""] = /\n(Counterexample[^]*?)\n\n/.exec(terminalReport(report)) ?? [];
  const { image = "" } = outputFigure(report, outputs);
  return {
    text:
      `$ npx dpcheck audit --module shop.mjs --epsilon 1 …\n${verdict}\n${bound}\n\n${counterexample}`,
    picture: image,
  };
}
