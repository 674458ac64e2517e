import { audit } from "../../../lib/judge/audit/audit.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Noise of Laplace's law with this scale. */
function noise(source: Source, scale: number): number {
  return scale * (Math.log(source.uniform()) - Math.log(source.uniform()));
}

const programs = {
  "refuted, numbers": ([x]: readonly number[], source: Source) => x! + noise(source, 0.4),
  "refuted, values": ([x]: readonly number[], source: Source) =>
    source.uniform() < 0.9 ? x === 1 : x !== 1,
  "refuted, texts": ([x]: readonly number[], source: Source) =>
    `${source.uniform() < 0.1 + 0.8 * x! ? "seen" : "missed"} <b>${
      Math.floor(100 * source.uniform())
    }</b>`,
  "not refuted": ([x]: readonly number[], source: Source) => x! + noise(source, 1.2),
  "inconclusive": ([x]: readonly number[], source: Source) => x! + noise(source, 1.2),
  "failed": () => {
    throw new Error("a message with a secret");
  },
} as const;

/** What an audit of each kind reports, with what a page with plots needs. */
export const kinds = Object.keys(programs) as (keyof typeof programs)[];

/** A real audit of this kind: 1-DP is claimed on the datasets [0] and [1]. */
export async function auditedReport(kind: typeof kinds[number]): Promise<AuditReport> {
  const source = new SeededSource(5);
  const subject = functionSubject(programs[kind] as (data: never) => unknown, {
    name: kind,
    source,
  });
  return await audit(subject, {
    claim: pure({ epsilon: 1, relation: replaceOne }),
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    maxDraws: kind === "inconclusive" ? 100 : 20_000,
    seed: 5,
    details: true,
  });
}
