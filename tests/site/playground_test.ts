import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import type { Browser, Look } from "../end_to_end/browser.ts";
import { files } from "./built_site.ts";
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

/** Tries to send something by all that workers have, and puts out how much is refused. */
const tries = (address: string): string =>
  `async function mechanism() {
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
  return await globalThis.refused;
}`;

// Mutants: a policy of the sandbox that lets it load from its own site; a pair that no message can carry; no stand-in for the solver.
Deno.test({
  name:
    "the playground refutes a false claim and names the line, does not refute a true one, and runs code where nothing can be sent",
  ignore: !CAN_LOOK,
  fn: () =>
    withSite(async ({ browser, address, paths }) => {
      await browser.open(`${address}playground.html`, DESKTOP);
      const spending = "Spending, with the noise of a smaller bound";
      assertEquals(await verdictOf(browser, { example: spending, seconds: "1" }), "REFUTED");
      const lines = await browser.evaluate(`new Promise((resolve) => {
        const lines = document.getElementById("lines");
        const look = () => lines.hidden ? setTimeout(look, 50) : resolve(lines.innerText);
        look();
      })`);
      assertStringIncludes(String(lines), "noise of scale 10 at mechanism.js:2");
      assertStringIncludes(String(lines), "Math.log(1 - Math.random())");
      const left = await browser.evaluate("document.getElementById('left').textContent");
      assertEquals(JSON.parse(String(left)).length <= 1, true);

      const response = { example: "Randomised response", seconds: "1" };
      assertEquals(await verdictOf(browser, response), "NOT REFUTED");
      assertEquals(await verdictOf(browser, response, "exact"), "HOLDS");
      const report = await browser.evaluate("document.getElementById('report').textContent");
      assertStringIncludes(String(report), "Least ε: 1, attained exactly.");
      assertEquals(await verdictOf(browser, { example: "Noisy max" }, "exact"), "HOLDS");
      assertEquals(browser.problems, []);

      await browser.evaluate("document.getElementById('share').click()");
      const shared = String(await browser.evaluate("location.href"));
      await browser.open("about:blank", DESKTOP);
      await browser.open(shared, DESKTOP);
      const code = await browser.evaluate("document.getElementById('code').value");
      assertStringIncludes(String(code), "function noisyMax");
      assertEquals(await browser.evaluate("document.getElementById('state').textContent"), "");

      await verdictOf(browser, { code: tries(address), seconds: "1" });
      const outputs = await browser.evaluate("document.getElementById('outputs').textContent");
      assertStringIncludes(String(outputs), "5 refused");
      assertEquals(paths.filter((path) => path.includes("sent_by")), []);
    }),
});

Deno.test("the scripts of the playground are sent in 400 KB", () => {
  const bytes = ["worker", "playground"]
    .map((name) => gzipSync(String(files.get(`assets/${name}.js`))).length)
    .reduce((sum, size) => sum + size);
  assert(bytes <= MOST_BYTES, String(bytes));
});
