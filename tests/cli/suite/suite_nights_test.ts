import { assert, assertEquals } from "@std/assert";
import { runSuite } from "../../../cli/suite/run_suite.ts";
import type { Suite } from "../../../cli/entries/suite_schema.ts";
import { LONG } from "../../long.ts";

const NIGHTS = 8;
/** Two outputs, of which the right one comes with probability e^ε/(1 + e^ε), ε = 1.8: more than is claimed. */
const ANSWER =
  "export default ([truth], source) => source.uniform() < Math.exp(1.8) / (1 + Math.exp(1.8)) ? truth : !truth;\n";

// Audits draw as they do for users, with fresh seeds. A true claim is refuted over all nights with probability at most α = 0.01. The
// false one grows by 0.0468 nats a draw at best, so eight nights of 250 draws show 94 nats at best, less what bets cost; 6 refute it.
Deno.test({
  name:
    "evidence of nights adds up until it refutes a false claim, and true claims are not refuted",
  ignore: !LONG,
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/answer.mjs`, ANSWER);
      const answer = { module: "answer.mjs", left: [false], right: [true], maxDraws: 250 };
      const suite: Suite = {
        audits: [
          { name: "true", ...answer, epsilon: 1.8, requirePower: 1000 },
          { name: "false", ...answer, epsilon: 1, requirePower: 1000 },
          { name: "laplace", mechanism: "laplace", epsilon: 1, maxDraws: 250, requirePower: 1000 },
          {
            name: "randomised response",
            mechanism: "k-ary-randomised-response",
            epsilon: 0.5,
            maxDraws: 250,
            requirePower: 1000,
          },
        ],
      };
      const nights: string[][] = [], evidence: number[] = [];
      for (let night = 0; night < NIGHTS; night++) {
        const { results } = await runSuite(suite, {
          file: `${folder}/dpcheck.json`,
          jobs: 2,
          changed: false,
          signal: new AbortController().signal,
        });
        nights.push(results.map(({ verdict }) => verdict));
        evidence.push(results[1]!.evidence);
        assertEquals(results.map(({ runs }) => runs), [1, 1, 1, 1].map((one) => one + night));
      }
      const shown = JSON.stringify({ nights, evidence });
      assertEquals(nights.map(([first]) => first === "refuted"), Array(NIGHTS).fill(false), shown);
      for (const night of nights) assert(night[2] !== "refuted" && night[3] !== "refuted", shown);
      assertEquals(nights.at(-1)![1], "refuted", shown);
      assert(evidence.at(-1)! > evidence[0]!, shown);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
