import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cliCommand, withFolder } from "../end_to_end/run_cli.ts";

/** Milliseconds within which an audit ends on a busy machine. */
const LONGEST_WAIT = 60_000;

/** What a process printed, to wait for. */
class Printed {
  text = "";
  #wake: () => void = () => {};

  constructor(stream: ReadableStream<Uint8Array>) {
    void this.#read(stream);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const part of stream) {
      this.text += decoder.decode(part, { stream: true });
      this.#wake();
    }
  }

  /** What came since the last call, when `part` is in it. */
  async until(part: string): Promise<string> {
    const end = performance.now() + LONGEST_WAIT;
    while (!this.text.includes(part)) {
      if (performance.now() > end) throw new Error(`${part} is not in ${this.text}`);
      const waiting = Promise.withResolvers<void>(),
        late = setTimeout(waiting.resolve, LONGEST_WAIT);
      this.#wake = waiting.resolve;
      await waiting.promise;
      clearTimeout(late);
    }
    const seen = this.text;
    this.text = "";
    return seen;
  }
}

// Mutants: imports not followed; a suite file not watched; an edit that is not finished ends it; audits that did not change run again.
Deno.test("dpcheck watch audits again what changed, through imports and the suite, until Ctrl-C", async () => {
  await withFolder(async (folder) => {
    const put = (name: string, text: string): Promise<void> =>
      Deno.writeTextFile(`${folder}/${name}`, text);
    const suite = (epsilon: string): string =>
      `{"audits":[{"name":"one","module":"one.mjs","epsilon":${epsilon},"left":[1],"right":[]},` +
      '{"name":"two","module":"two.mjs","epsilon":1,"left":[1],"right":[]}]}';
    await put("noise.mjs", "export const noise = () => 0;\n");
    await put(
      "one.mjs",
      'import { noise } from "./noise.mjs";\nexport default (rows, s) => rows.length + noise(s);\n',
    );
    await put("two.mjs", "export default (rows) => rows.length;\n");
    await put("dpcheck.json", suite("1"));
    const child = cliCommand(["watch"], {}, [], folder).spawn();
    const out = new Printed(child.stdout);
    try {
      const first = await out.until("refuted  two");
      assertStringIncludes(first, "refuted  one: 1-DP claimed, ε ≥ ");
      assertStringIncludes(first, "  left   [1]");
      await put(
        "noise.mjs",
        "export const noise = (s) => 9 * Math.log(s.uniform() / s.uniform());\n",
      );
      const second = await out.until("not-refuted  one");
      assert(!second.includes("…  two"), second);
      await put("dpcheck.json", suite("?"));
      await out.until("dpcheck.json is refused");
      await put("dpcheck.json", suite("0.5"));
      await out.until("one: 0.5-DP claimed");
      child.kill("SIGINT");
      assertEquals((await child.status).code, 0);
    } finally {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await child.stderr.cancel();
    }
  });
});
