import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { wordingOf } from "../../lib/judge/report/wording.ts";
import { EXAMPLES } from "../../site/browser/examples.ts";
import { withoutOptions } from "../../site/browser/without_options.ts";
import { violations } from "../end_to_end/axe_violations.ts";
import type { Browser, Look } from "../end_to_end/browser.ts";
import { inconclusive, notRefuted, refuted } from "../judge/report/sample_reports.ts";
import { LONG } from "../long.ts";
import { builtSite } from "./built_site.ts";
import { CAN_LOOK, withSite } from "./with_site.ts";

const DESKTOP: Look = { width: 1280, theme: "light" };
/** The most bytes of its scripts, as they are sent. */
const MOST_BYTES = 400_000;

/** Fills in the form, starts and waits for the verdict. */
async function verdictOf(
  browser: Browser,
  fields: Readonly<Record<string, string>>,
  button = "audit",
): Promise<string> {
  return String(
    await browser.evaluate(`new Promise((resolve) => {
      const at = (id) => document.getElementById(id);
      for (const [id, value] of Object.entries(${JSON.stringify(fields)})) {
        at(id).value = value;
        at(id).dispatchEvent(new Event("change"));
      }
      const state = at("state");
      new MutationObserver(() => state.className === "" || resolve(state.textContent))
        .observe(state, { attributes: true });
      at(${JSON.stringify(button)}).click();
    })`),
  );
}

/** Returns true once the editor marks a line as wrong, which it does in a frame after the verdict is said. */
async function isMarked(browser: Browser): Promise<boolean> {
  return await browser.evaluate(`new Promise((resolve) => {
    const { shadowRoot } = document.querySelector(".editor");
    const look = (left) => shadowRoot.querySelector(".cm-lint-marker-error") !== null || left === 0
      ? resolve(left > 0) : setTimeout(look, 50, left - 1);
    look(200);
  })`) === true;
}

/** Waits until the report says something, which lines are in once they are found. */
async function reportSays(browser: Browser, text: string): Promise<void> {
  await browser.evaluate(`new Promise((resolve) => {
    const look = () => document.getElementById("report").innerText.includes(${JSON.stringify(text)})
      ? resolve() : setTimeout(look, 50);
    look();
  })`);
}

/** Changes of what a worker's code calls, with what is asked of the page. */
const PATCHES: readonly [patch: string, button: "audit" | "exact"][] = [
  ["Math.sign = () => 1; Math.max = () => 0; Math.exp = Math.log = () => 0;", "audit"],
  [
    "Object.defineProperty = () => {}; globalThis.Math = { __proto__: Math, log: () => 0 };",
    "audit",
  ],
  [
    "Array.prototype.push = function () { return this.length; }; JSON.stringify = () => '';",
    "audit",
  ],
  ["for (const n of ['map', 'reduce', 'filter', 'some']) Array.prototype[n] = () => [];", "audit"],
  ["[][Symbol.iterator]().__proto__.next = () => ({ done: true });", "audit"],
  ["Map.prototype.get = () => undefined; Promise.prototype.then = () => {};", "audit"],
  [
    "globalThis.BigInt = Number; BigInt.prototype.toString = () => '0'; Array.prototype.every = () => true;",
    "exact",
  ],
];

/** Tries to send something by all that workers have, and puts out how much is refused. */
const tries = (address: string): string =>
  `async function mechanism(rows) {
  const sent = (kind) => "${address}sent_by_" + kind;
  const tries = {
    fetch: () => fetch(sent("fetch")),
    xhr: () => new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.onload = resolve;
      request.onerror = reject;
      request.open("GET", sent("xhr"));
      request.send();
    }),
    socket: () => new Promise((resolve, reject) => {
      const socket = new WebSocket(sent("socket").replace("http", "ws"));
      socket.onopen = resolve;
      socket.onerror = reject;
    }),
    script: () => importScripts(sent("script")),
    module: () => import(sent("module")),
  };
  globalThis.refused ??= (async () => {
    const refused = [];
    for (const [kind, work] of Object.entries(tries)) {
      try { await work(); } catch { refused.push(kind); }
    }
    return refused.length + " refused";
  })();
  return rows[0] ? await globalThis.refused : "none";
}`;

/** What stands in an element of the page. */
async function textOf(browser: Browser, id: string): Promise<string> {
  return String(await browser.evaluate(`document.getElementById(${JSON.stringify(id)}).innerText`));
}

// Mutants: a policy of the sandbox that lets it load from its own site; a pair that no message can carry; no stand-in for the solver;
// results that stay when a new run begins.
Deno.test({
  name:
    "the playground refutes a false claim and names the line, does not refute a true one, and runs code where nothing can be sent",
  ignore: !CAN_LOOK,
  fn: () =>
    withSite(async ({ browser, address, paths }) => {
      await browser.open(`${address}playground.html`, DESKTOP);
      const spending = "Spending, with the noise of a smaller bound";
      assertEquals(await verdictOf(browser, { example: spending, seconds: "20" }), "REFUTED");
      await reportSays(browser, "mechanism.js:2");
      const shown = await textOf(browser, "report");
      assertStringIncludes(shown, "noise of scale 10 at mechanism.js:2");
      assertStringIncludes(shown, "the claim, at least");
      assert(!/--[a-z]|10\^/.test(shown), shown);
      assertEquals(await violations(browser), []);
      assert(await browser.evaluate("document.querySelectorAll('#report .plot').length > 2"));

      const response = { example: "Randomised response", seconds: "1" };
      assertEquals(await verdictOf(browser, response), "NOT REFUTED");
      assertEquals(await verdictOf(browser, { ...response, seconds: "20" }, "exact"), "HOLDS");
      assertStringIncludes(await textOf(browser, "decision"), "Least ε: 1, attained exactly.");
      assertEquals(await textOf(browser, "report"), "");
      assertEquals(
        await verdictOf(browser, { example: "Noisy max", seconds: "20" }, "exact"),
        "HOLDS",
      );

      await browser.evaluate("document.getElementById('share').click()");
      const shared = String(await browser.evaluate("location.href"));
      await browser.open("about:blank", DESKTOP);
      await browser.open(shared, DESKTOP);
      const code = await browser.evaluate("document.getElementById('code').value");
      assertStringIncludes(String(code), "function noisyMax");
      assertStringIncludes(await textOf(browser, "state"), "was told: HOLDS. Audit it");
      assertEquals(await textOf(browser, "report"), "");

      // The questions lead to the fields, and a mistake is shown at its line.
      await browser.evaluate(`(() => {
        document.getElementById("hidden").value = "value";
        document.getElementById("given").value = "rows";
        document.getElementById("given").dispatchEvent(new Event("input", { bubbles: true }));
      })()`);
      const relation = await browser.evaluate("document.getElementById('relation').value");
      assertEquals(relation, "replace-one");
      const wrong = "function mechanism(rows) {\n  return rows.lenth.x;\n}";
      assertEquals(await verdictOf(browser, { code: wrong, seconds: "1" }), "FAILED");
      assert(await isMarked(browser));
      const endless = "function mechanism(rows) { while (true) {} }";
      const unsettled = "function mechanism(rows) { return new Promise(() => {}); }";
      for (const code of [endless, unsettled]) {
        const said = await verdictOf(browser, { code, seconds: "1" });
        assertStringIncludes(said, "did not return in 1 s.");
      }

      const data = { rows: '{"type":"boolean"}', size: "1", relation: "replace-one" };
      // Mutant: answers that any code in the worker can post.
      const forged = 'postMessage({ kind: "end", text: "HOLDS  forged" });';
      const forging = `${forged}\nfunction mechanism(rows) { ${forged} return Number(rows[0]); }`;
      assertEquals(await verdictOf(browser, { ...data, code: forging, seconds: "1" }), "REFUTED");
      const byHand = `const scale = 0.3;
function mechanism(rows) {
  const u = Math.random() - 0.5;
  return Number(rows[0]) - scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
}`;
      assertEquals(await verdictOf(browser, { ...data, code: byHand, seconds: "1" }), "REFUTED");
      await reportSays(browser, "noise of scale 0.3 at mechanism.js:3 hides");
      // Mutants: a language that stays open, where all that is audited has no effect; globals, hidden prototypes that stay open.
      for (const [patch, button] of PATCHES) {
        const patching = `${patch}\n${byHand}`;
        const verdict = await verdictOf(browser, { ...data, code: patching, seconds: "2" }, button);
        assert(button === "audit" ? verdict === "REFUTED" : !verdict.startsWith("HOLDS"), patch);
      }
      await verdictOf(browser, { ...data, code: tries(address), seconds: "20" });
      const outputs = await browser.evaluate("document.getElementById('report').textContent");
      assertStringIncludes(String(outputs), "5 refused");
      assertEquals(paths.filter((path) => path.includes("sent_by")), []);
      assertEquals(browser.problems.filter((problem) => !problem.includes("sent_by")), []);
    }),
});

// Mutants: a frame that may load; packages that are named nowhere.
Deno.test({
  name: "the playground audits functions in Python, and says which package it does not have",
  ignore: !CAN_LOOK || !LONG,
  fn: () =>
    withSite(async ({ browser, address }) => {
      await browser.open(`${address}playground.html`, DESKTOP);
      const { title } = EXAMPLES.find(({ language }) => language === "python")!;
      assertEquals(await verdictOf(browser, { example: title, seconds: "3" }), "REFUTED");
      const failing = "def mechanism(rows):\n    return rows.lenth\n";
      assertEquals(await verdictOf(browser, { code: failing, seconds: "1" }), "FAILED");
      assert(await isMarked(browser));
      const numpy = "import numpy as np\n\ndef mechanism(rows):\n    return np.sum(rows)\n";
      assertStringIncludes(await verdictOf(browser, { code: numpy }), "numpy is not in this page");
      const endless = "def mechanism(rows):\n    while True: pass\n";
      assertStringIncludes(
        await verdictOf(browser, { code: endless, seconds: "1" }),
        "did not return in 1 s.",
      );
    }),
});

Deno.test("no sentence of a report on a page names an option of the command line", () => {
  for (const report of [refuted, notRefuted, inconclusive]) {
    const cut = [{ what: "the search", done: 10, of: 20 }];
    const longerRun = { draws: 100_000, detectableEpsilon: 1.5 };
    const all = { ...report, cut, longerRun, exactDecides: { datasets: 3 } } as AuditReport;
    const { findings, advice, limits } = wordingOf({
      ...all,
      askedAhead: true,
      declaredIndependent: true,
    });
    for (const sentence of [...findings, ...advice, ...limits]) {
      assert(!/--[a-z]/.test(withoutOptions(sentence)), sentence);
    }
  }
});

Deno.test("the scripts of the playground are sent in 400 KB", async () => {
  const files = await builtSite();
  const bytes = ["worker", "playground"]
    .map((name) => gzipSync(String(files.get(`assets/${name}.js`))).length)
    .reduce((sum, size) => sum + size);
  assert(bytes <= MOST_BYTES, String(bytes));
});
