import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pairOf, pure, replaceOne } from "../../mod.ts";
import { auditProgram } from "../../lib/judge/dialogue/audit_program.ts";
import { httpSessions, processSessions } from "../../lib/judge/dialogue/line_program.ts";
import type { InteractiveProgram } from "../../lib/judge/dialogue/interactive_program.ts";
import type { SessionReport } from "../../lib/judge/dialogue/session_report.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { asked } from "../../fixtures/judge/services/audited_service.ts";
import { testsWith } from "../has_program.ts";
import { root } from "./served.ts";

// A file for other people's programs, and no module of the library.
const { sessionAnswers } = await import(`${root}adapters/node/dpcheck.mjs`);
const withNode = await testsWith(["node", "--version"], "sessions of programs in Node");
const withPython = await testsWith(["python3", "--version"], "sessions of classes in Python");

/** Two questions of places that round alike, and one that is refused. */
const STRATEGY = [500.1, 500.3, 1].map((x) => asked("below", { x }));

/** One audit of a pair by these questions. */
async function audited(
  open: Promise<InteractiveProgram>,
  maxDraws = 200,
): Promise<SessionReport> {
  const program = await open;
  try {
    return await auditProgram(program, {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      questions: { below: { x: { type: "number", min: 0, max: 1000 } } },
      pair: pairOf(replaceOne, { left: [500.2], right: [0] }),
      strategy: STRATEGY,
      seed: 1,
      maxDraws,
    });
  } finally {
    await program.close();
  }
}

/** Counts, two answers at half of ε = 1 each; with `kept` the answers of places that round alike have one noise. */
const counts = (kept: boolean): string =>
  `({
  start: (rows, source) => ({ rows, source, left: 2, kept: new Map() }),
  open: (state) => ({
    ask({ x }) {
      const noise = () => 2 * Math.log(state.source.uniform() / state.source.uniform());
      const count = state.rows.filter((row) => row < x).length, key = Math.round(x);
      if (${kept} && state.kept.has(key)) return count + state.kept.get(key);
      if (state.left-- <= 0) return { refused: "the budget is spent" };
      state.kept.set(key, noise());
      return count + state.kept.get(key);
    },
  }),
})`;

const python = (kept: string): string => `
import random
from dpcheck import Refused, serve_sessions

class Counts:
    def __init__(self, rows):
        print("loud")
        self.rows, self.left, self.kept = rows, 2, {}

    def below(self, x):
        key = round(x)
        if not (${kept} and key in self.kept):
            if self.left <= 0:
                raise Refused("the budget is spent")
            self.left -= 1
            self.kept[key] = 2 * (random.expovariate(1) - random.expovariate(1))
        return sum(row < x for row in self.rows) + self.kept[key]

serve_sessions(Counts)
`;

// Mutants: a service that is not begun anew; a refusal that is taken for an error; prints on standard output.
withNode(
  "serveSessions() of Node holds sessions of a service, which are refuted where noise is shared",
  async () => {
    const program = (kept: boolean): string =>
      `node --input-type=module -e ${
        quoteWord(
          `import { serveSessions } from ${
            JSON.stringify(`${root}adapters/node/dpcheck.mjs`)
          };\nserveSessions(${counts(kept)});`,
        )
      }`;
    assertEquals((await audited(processSessions(program(true)))).verdict, "refuted");
    // Each answer pays half of its claim.
    const kept = await audited(processSessions(program(false)), 50);
    assertEquals(kept.verdict, "not-refuted", kept.failure);
  },
);

withPython(
  "serve_sessions() of Python holds sessions of a class, which are refuted where noise is shared",
  async () => {
    const program = (kept: string): string =>
      `env PYTHONPATH=${root}adapters/python python3 -c ${quoteWord(python(kept))}`;
    assertEquals((await audited(processSessions(program("True")))).verdict, "refuted");
    // Each answer pays half of its claim.
    const kept = await audited(processSessions(program("False")), 50);
    assertEquals(kept.verdict, "not-refuted", kept.failure);
  },
);

type Handler = (request: Record<string, unknown>) => Response | Promise<Response>;

/** Runs a server, and audits it. */
async function auditedServer(
  handler: Handler,
  { timeoutSeconds = 5, maxDraws = 200 } = {},
): Promise<{ report: SessionReport; seen: Record<string, unknown>[] }> {
  const seen: Record<string, unknown>[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      if (request.method !== "POST") return new Response("no", { status: 405 });
      const asked = await request.json();
      seen.push(asked);
      return await handler(asked);
    },
  );
  try {
    const url = `http://127.0.0.1:${server.addr.port}/`;
    return { report: await audited(httpSessions(url, { timeoutSeconds }), maxDraws), seen };
  } finally {
    await server.shutdown();
  }
}

// deno-lint-ignore no-eval -- the same service as text for another process
const service = (kept: boolean): unknown => eval(counts(kept));

// Mutants: a session of the server that is left open; a body that is read twice.
Deno.test("sessions of a server are audited by --url, and every one that was opened is closed", async () => {
  const answer = sessionAnswers(service(false));
  const { report, seen } = await auditedServer(
    async (request) => Response.json(await answer(request)),
    { maxDraws: 60 },
  );
  assertEquals(report.verdict, "not-refuted", report.failure);
  assert(seen.filter(({ ask }) => ask !== undefined).length > 100);
  assertEquals(
    seen.filter(({ open }) => open !== undefined).length,
    seen.filter(({ close }) => close === true).length,
  );
});

/** What hostile servers do at the thirtieth question, and the words of the failure. */
const HOSTILE: readonly [string, string, Handler][] = [
  [
    "hangs",
    "hung",
    () => new Promise<Response>((done) => setTimeout(() => done(Response.json({})), 1500)),
  ],
  [
    "answers another session",
    "another session",
    ({ id }) => Response.json({ id, session: 77, answer: 1 }),
  ],
  ["answers another request", "another request", () => Response.json({ id: 3, answer: 1 })],
  [
    "changes its protocol",
    "changed its protocol",
    () => Response.json({ dpcheck: 1, order: true }),
  ],
  ["floods", "more than", () => new Response("x".repeat((1 << 22) + 1000))],
  ["has no answer", "neither answer", ({ id }) => Response.json({ id, ok: true })],
  ["says nothing of JSON", "no JSON object", () => new Response("<html>busy</html>")],
  ["fails", "status 500", () => new Response("down", { status: 500 })],
  ["sends it elsewhere", "could not be asked", () => Response.redirect("http://127.0.0.1:9/", 307)],
];

// Mutants: a failure that is taken for an answer; sessions of a server that failed left open.
Deno.test("a server that hangs, lies, floods, fails or changes its protocol fails, and is not refuted", async () => {
  for (const [fault, words, misbehave] of HOSTILE) {
    const answer = sessionAnswers(service(true));
    let asked = 0;
    const { report, seen } = await auditedServer(
      async (request) =>
        request.ask !== undefined && ++asked >= 30
          ? await misbehave(request)
          : Response.json(await answer(request)),
      { timeoutSeconds: fault === "hangs" ? 0.5 : 5 },
    );
    assertEquals(report.verdict, "failed", fault);
    assertStringIncludes(report.failure!, words, fault);
    assertEquals(report.eValue, 0, fault);
    const opened = seen.filter(({ open }) => open !== undefined).length;
    assert(seen.filter(({ close }) => close === true).length >= opened, `${fault}: all are closed`);
  }
});
