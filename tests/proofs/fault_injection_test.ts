import { assert, assertEquals } from "@std/assert";
import { claimUnder } from "../../lib/core/claim.ts";
import { pairOf } from "../../lib/core/relation.ts";
import { largestMechanismLoss } from "../../lib/exact/mechanism_loss.ts";
import { mechanismNames } from "../../lib/mechanisms/registry.ts";
import type { Outcome, Theorem } from "../../proofs/engine/theorem.ts";
import { refutes } from "../mirror/learners/refutes.ts";
import { allFaults } from "./faults/all_faults.ts";
import type { Catcher, LearnerPair } from "./faults/fault.ts";
import { WITHOUT_FAULTS } from "./faults/without_faults.ts";

const root = new URL("../../", import.meta.url);
const options = { seed: 20261121 };

/** All modules of a folder, by path from the root. */
function modulesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, root))].flatMap(({ name, isDirectory }) =>
    isDirectory ? modulesIn(`${folder}${name}/`) : name.endsWith(".ts") ? [`${folder}${name}`] : []
  );
}

/** The text of every module that a theorem may import. */
const modules = new Map(
  [...modulesIn("lib/"), ...modulesIn("proofs/")].map((path) => [
    path,
    Deno.readTextFileSync(new URL(path, root)),
  ]),
);

/** Whether the library below `base` is noticed to be broken; an error in a check is noticed too. */
async function isCaught(caughtBy: Catcher, base: string): Promise<boolean> {
  if ("theorem" in caughtBy) {
    const [file, name] = caughtBy.theorem;
    const module = await import(`${base}proofs/${file}.ts`);
    return await failsAsTheorem(module[name]);
  }
  if ("shipped" in caughtBy) {
    const { shippedOutcome } = await import(`${base}proofs/mechanisms/shipped_mechanisms.ts`);
    return caughtBy.shipped.every((name) => {
      const outcome: Outcome = shippedOutcome({ names: [name], strength: 1 }, options);
      return !outcome.holds;
    });
  }
  return "law" in caughtBy
    ? await losesTooMuch(caughtBy.law, base)
    : await isRefuted(caughtBy.audit, base);
}

/** As in a run of `prove`, which wants false claims refuted and their corrected twins to hold. */
async function failsAsTheorem({ check, corrected, expected }: Theorem): Promise<boolean> {
  try {
    const { holds } = await check(options);
    if (holds !== (expected === "holds")) return true;
    return corrected !== undefined && !(await corrected.check(options)).holds;
  } catch (error) {
    return error instanceof Error;
  }
}

async function learnerOf(
  { modules, mechanism, left, right }: LearnerPair,
  base: string,
): Promise<Parameters<typeof refutesPair>[0]> {
  const loaded = await Promise.all(modules.map((module) => import(`${base}lib/${module}`)));
  const made = mechanism(...loaded), { relation } = made.claim;
  // The copy's constructors made the claim: this one's audit knows those of its own alone.
  const claim = claimUnder(made.claim, { relation });
  return { made: { ...made, claim }, pair: pairOf(relation, { left, right }) };
}

async function losesTooMuch(pair: LearnerPair, base: string): Promise<boolean> {
  const learner = await learnerOf(pair, base), { claim } = learner.made;
  assert(claim.kind === "pure");
  const { loss } = largestMechanismLoss(learner.made, { pairs: [learner.pair], ...options });
  return loss > claim.epsilon * (1 + 1e-9);
}

async function isRefuted(pair: LearnerPair, base: string): Promise<boolean> {
  return await refutesPair(await learnerOf(pair, base));
}

function refutesPair(
  { made, pair }: {
    made: ReturnType<LearnerPair["mechanism"]>;
    pair: ReturnType<typeof pairOf<unknown>>;
  },
): Promise<boolean> {
  return refutes(made, { pair, seed: options.seed, maxDraws: 20_000 });
}

for (const { file, from, to, caughtBy } of allFaults) {
  const fault = to.replaceAll(/\s+/g, " ");
  Deno.test(`“${fault}” in lib/${file} is noticed by ${nameOf(caughtBy)}`, async () => {
    const broken = `lib/${file}`;
    assertEquals(modules.get(broken)!.split(from).length, 2, `“${from}” must occur once`);
    await withCopy(
      new Map([[broken, modules.get(broken)!.replace(from, () => to)]]),
      async (base) => {
        assert(await isCaught(caughtBy, base), "the fault goes unnoticed");
      },
    );
    // Theorems and shipped mechanisms are tested without faults below.
    if ("law" in caughtBy || "audit" in caughtBy) {
      assert(!(await isCaught(caughtBy, root.href)), "the library as it is is taken for broken");
    }
  });
}

/** Hands on where a copy of all modules is, some with another text. */
async function withCopy(
  changed: ReadonlyMap<string, string>,
  use: (base: string) => Promise<void>,
): Promise<void> {
  const copy = await Deno.makeTempDir({ prefix: "dpcheck-fault-" });
  try {
    for (const [path, text] of [...modules, ...changed]) {
      const target = `${copy}/${path}`;
      await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(target, text);
    }
    await use(`file://${copy}/`);
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}

// A check that fails in every copy, for want of a file say, would seem to notice every fault.
Deno.test("no theorem and no shipped mechanism is taken for broken in a copy without faults", async () => {
  const catchers = new Map(
    allFaults.flatMap(({ caughtBy }): [string, Catcher][] =>
      "shipped" in caughtBy
        ? caughtBy.shipped.map((name) => [name, { shipped: [name] }])
        : "theorem" in caughtBy
        ? [[caughtBy.theorem[0], caughtBy]]
        : []
    ),
  );
  assert(catchers.size > 20);
  await withCopy(new Map(), async (base) => {
    for (const [name, caughtBy] of catchers) assert(!(await isCaught(caughtBy, base)), name);
  });
});

function nameOf(caughtBy: Catcher): string {
  if ("theorem" in caughtBy) return caughtBy.theorem[0];
  if ("shipped" in caughtBy) return `the law of ${caughtBy.shipped.join(", ")}`;
  return "law" in caughtBy ? "its law" : "an audit";
}

Deno.test("every shipped mechanism has a fault that is noticed", () => {
  const broken = allFaults.flatMap(({ caughtBy, breaks = [] }) =>
    "shipped" in caughtBy ? caughtBy.shipped : breaks
  );
  assertEquals(mechanismNames.filter((name) => !broken.includes(name)), []);
  assertEquals(broken.filter((name) => !mechanismNames.includes(name)), []);
});

Deno.test("every module of a learner has a fault that is noticed, or a reason for having none", () => {
  const broken = new Set(allFaults.map(({ file }) => file));
  const excused = Object.keys(WITHOUT_FAULTS).map((file) => `learners/${file}`);
  const forgotten = modulesIn("lib/learners/").map((path) => path.replace("lib/", ""))
    .filter((file) => !broken.has(file) && !excused.includes(file));
  assertEquals(forgotten, [], "give them a fault below tests/proofs/faults, or a reason");
  assertEquals(excused.filter((file) => broken.has(file)), []);
});
