import { assert } from "@std/assert";
import { STATEFUL, STATEFUL_CLAIM, TOKEN_CLAIM } from "../../fixtures/judge/stateful/mechanisms.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { logBinomialTail } from "../../lib/core/numeric/binomial_tail.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { LONG } from "../long.ts";
import { hasProgram } from "../has_program.ts";
import { isDecided, mostPassing } from "./decided.ts";

// Item 1 of the review: programs with a memory, a drift or a clock keep their claim call by call, and were refuted in up
// to all audits when all of one dataset was asked for before all of the other. At α = 0.05 at most 5% of the audits may
// refute; a test fails when as many refutations or more have probability below 1e-4 at 5%. Seeds are fixed, but those
// programs that go by a clock or are processes draw by themselves.
const ALPHA = 0.05;
const TOLERANCE = 1e-4;
const pair = pairOf(replaceOne, { left: [0], right: [1] });

/** How many of some audits refute the claim. Nothing is confirmed: every refutation counts. */
async function refutations(
  subjectOf: (seed: number) => Subject,
  { claim, audits, maxDraws }: { claim: Claim; audits: number; maxDraws: number },
): Promise<number> {
  let refuted = 0;
  const most = mostPassing(audits, (count) => tooMany(count, audits));
  for (let seed = 1; seed <= audits; seed++) {
    if (!LONG && isDecided(refuted, { done: seed - 1, trials: audits, most })) break;
    const subject = subjectOf(seed);
    const report = await audit(subject, {
      claim,
      pair,
      maxDraws,
      seed,
      alpha: ALPHA,
      shrink: false,
    });
    assert(report.verdict !== "failed", report.failure);
    if (report.verdict === "refuted") refuted++;
  }
  return refuted;
}

function tooMany(refuted: number, audits: number): boolean {
  return refuted > 0 && logBinomialTail(refuted, audits, ALPHA) < Math.log(TOLERANCE);
}

function judge(name: string, refuted: number, audits: number): void {
  if (LONG) console.log(`${name}: ${refuted} of ${audits} refuted`);
  assert(!tooMany(refuted, audits), `${refuted} of ${audits} audits refuted a true claim`);
}

/** A thread that keeps a core busy. */
function busy(): Worker {
  const body =
    "onmessage = () => { for (;;) for (const end = Date.now() + 50; Date.now() < end;); }";
  const worker = new Worker(
    URL.createObjectURL(new Blob([body], { type: "text/javascript" })),
    { type: "module" },
  );
  worker.postMessage(0);
  return worker;
}

for (const [name, make] of Object.entries(STATEFUL)) {
  Deno.test(`audit() refutes at most 5% of programs with a memory that keep their claim: ${name}`, async () => {
    const [audits, maxDraws] = LONG ? [200, 20_000] : [12, 2000];
    const others = LONG && name.startsWith("elapsed") ? [busy()] : [];
    try {
      const refuted = await refutations(
        (seed) => mechanismSubject(make(), { source: new SeededSource(seed).split(name) }),
        { claim: make().claim, audits, maxDraws },
      );
      judge(name, refuted, audits);
    } finally {
      for (const worker of others) worker.terminate();
    }
  });
}

const python = await hasProgram(["python3", "--version"], "false alarms of programs with a memory");
const file = new URL("../../fixtures/judge/stateful/program.py", import.meta.url).pathname;
const MODES = ["elapsed", "noise", "counter", "count", "parity", "token"];
const FORMS = ["", " --order", " --order --binary"];

for (const form of FORMS) {
  for (const mode of MODES) {
    Deno.test({
      name:
        `audit() refutes at most 5% of programs with a memory that keep their claim: ${mode}${form}, a process`,
      // By single requests a program is served as any other: tests/judge/audit/subjects.
      ignore: !python ||
        (form === " --order" || form === "" && !["noise", "token"].includes(mode)) && !LONG,
      fn: async () => {
        const [audits, maxDraws] = LONG ? [200, 5000] : [5, 2000];
        const command = `python3 ${quoteWord(file)} ${mode}${form}`;
        // It goes on from one audit to the next, as it would in one long audit.
        const subject = processSubject(command);
        try {
          const claim = mode === "token" ? TOKEN_CLAIM : STATEFUL_CLAIM;
          if (["count", "parity"].includes(mode) && form !== "") {
            // All outputs of a request are the same: it is told so, and not refuted.
            const { verdict, failure } = await audit(subject, { claim, pair, maxDraws, seed: 1 });
            assert(verdict === "failed" && failure.includes("repeats one output"), failure);
            return;
          }
          const refuted = await refutations(() => subject, { claim, audits, maxDraws });
          judge(`${mode}${form}, a process`, refuted, audits);
        } finally {
          await subject.close();
        }
      },
    });
  }
}

// The tests above see what they are for: in blocks, as declared, the same programs are refuted nearly always.
Deno.test("audit() refutes programs with a memory in blocks that they are wrongly declared fit for", async () => {
  for (const name of ["call counter", "autoregressive noise"]) {
    const audits = 10;
    const refuted = await refutations((seed) => {
      const source = new SeededSource(seed).split(name);
      const { drawInOrder: _, ...subject } = mechanismSubject(STATEFUL[name]!(), { source });
      return { ...subject, independent: true };
    }, { claim: STATEFUL[name]!().claim, audits, maxDraws: 5000 });
    assert(tooMany(refuted, audits), `only ${refuted} of ${audits} refuted: ${name}`);
  }
});
