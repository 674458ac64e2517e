import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { htmlReport } from "../../lib/judge/report/html.ts";
import { reportFigures } from "../../lib/judge/report/report_figures.ts";
import { auditedReport, kinds } from "../judge/report/audited_reports.ts";
import { violations } from "./axe_violations.ts";
import { Browser, chromiumHere, type Look } from "./browser.ts";
import { runHere, withFolder } from "./run_cli.ts";
import { LONG } from "../long.ts";

const LOOKS: readonly Look[] = [{ width: 400, theme: "light" }, { width: 1280, theme: "dark" }];
const EVERY_LOOK: readonly Look[] = [400, 1280].flatMap((width) => [
  { width, theme: "light" as const },
  { width, theme: "dark" as const },
]);

const PROGRAMS = `
export const coin = (rows, source) => source.bernoulli({ probability: 0.75 }) === rows[0];
export const noisy = (rows, source) => rows[0] + source.laplace({ scale: 1 });
export const little = ([row], source) => row + 0.3 * Math.log(source.uniform() / source.uniform());
export const service = {
  start: (rows, source) => ({ rows, source }),
  open: ({ rows, source }) => ({
    ask: ({ below }) =>
      rows.filter((row) => row < below).length + Math.log(source.uniform() / source.uniform()),
  }),
};
`;
const NUMBERS = [
  ...["--rows", '{"type":"number","min":0,"max":1}', "--size", "1..1"],
  ...["--relation", "replace-one", "--epsilon", "0.5"],
];
/** Commands besides audits that write such a page, and how they end. */
const OTHER_REPORTS: readonly { readonly words: readonly string[]; readonly code: number }[] = [
  {
    words: [
      ...["exact", "--module", "programs.mjs#coin", "--rows", '{"type":"boolean"}'],
      ...["--size", "1..1", "--relation", "replace-one", "--epsilon", "1.2"],
    ],
    code: 0,
  },
  { words: ["exact", "--module", "programs.mjs#noisy", ...NUMBERS], code: 1 },
  { words: ["record", "--module", "programs.mjs#little", ...NUMBERS], code: 0 },
  {
    words: [
      ...["audit", "--interactive", "--module", "programs.mjs#service", ...NUMBERS],
      ...["--questions", '{"count":{"below":{"type":"number","min":0,"max":1}}}', "--seed", "3"],
      ...["--max-draws", "400"],
    ],
    code: 1,
  },
];

const chromium = await chromiumHere();

// Mutants: a faint colour; an image without its text; a table wider than a phone; a script that the page's own policy forbids.
Deno.test({
  name:
    "pages of reports and theorems fit a phone and a desktop, in both themes, and axe-core finds nothing",
  ignore: !LONG || chromium === undefined || Deno.build.os === "windows",
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      const pages: string[] = [];
      for (const kind of kinds) {
        const report = await auditedReport(kind);
        const page = `${folder}/${kind.replace(/\W+/g, "_")}.html`;
        const figures = await reportFigures(report);
        await Deno.writeTextFile(
          page,
          htmlReport(report, { figures, regressionTest: "test", date: new Date(0), commit: "c" }),
        );
        pages.push(page);
      }
      for (const [k, { words, code }] of OTHER_REPORTS.entries()) {
        const module = `${folder}/programs.mjs`;
        await Deno.writeTextFile(module, PROGRAMS);
        pages.push(`${folder}/other_${k}.html`);
        const all = words.map((word) => word.replace("programs.mjs", module));
        const run = await runHere([...all, "--html", pages.at(-1)!]);
        assertEquals(run.code, code, run.stdout + run.stderr);
      }
      const theorems = ["mechanisms/randomised_response", "false_claims/sparse_vector_stoddard"];
      pages.push(`${folder}/prove.html`);
      assertEquals((await runHere(["prove", ...theorems, "--html", pages.at(-1)!])).code, 0);
      const audits = [1, 2].map((epsilon) => ({
        name: `an audit with a name that is long, of ε = ${epsilon}`,
        mechanism: "laplace",
        epsilon,
        maxDraws: 3,
      }));
      await Deno.writeTextFile(`${folder}/dpcheck.json`, JSON.stringify({ audits }));
      pages.push(`${folder}/suite/index.html`);
      const words = ["suite", `${folder}/dpcheck.json`, "--html", `${folder}/suite`];
      assertEquals((await runHere(words)).code, 4);
      const bad = `${folder}/bad.html`;
      await Deno.writeTextFile(
        bad,
        '<html lang="en"><title>x</title><main><img src="data:,"></main>',
      );

      const browser = new Browser(chromium!, `${folder}/profile`);
      try {
        for (const [k, page] of pages.entries()) {
          // A phone for all; every other page on a desktop too.
          for (const look of LONG ? EVERY_LOOK : LOOKS.slice(0, 2 - k % 2)) {
            const seen = `${page} ${look.width} ${look.theme}`;
            await browser.open(page, look);
            assertEquals(await violations(browser), [], seen);
            const width = await browser.evaluate("document.documentElement.scrollWidth");
            assert(Number(width) <= look.width, `${seen}: ${width} wide`);
          }
        }
        await browser.open(pages[0]!, LOOKS[0]!);
        const label = await browser.evaluate(`new Promise((resolve) => {
          const button = document.querySelector("[data-copies=replay]");
          button.click();
          setTimeout(() => resolve(button.textContent), 300);
        })`);
        assert(label === "Copied" || label === "Selected", String(label));

        // The check can fail.
        await browser.open(bad, LOOKS[0]!);
        assertStringIncludes(String(await violations(browser)), "image-alt");
      } finally {
        await browser.close();
      }
    });
  },
});
