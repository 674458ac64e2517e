import { assert } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Domain } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { addRemoveOne } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { LONG } from "../../long.ts";

const claim = pure({ epsilon: 1, relation: addRemoveOne });
const domain: Domain = { rows: { type: "integer", min: 0, max: 4 }, size: { min: 0, max: 5 } };

function laplace(u: number): number {
  return -Math.sign(u - 0.5) * Math.log(1 - 2 * Math.abs(u - 0.5));
}

const count: Mechanism<number, number> = {
  name: "count",
  claim,
  sample: (data, source) => data.length + laplace(source.uniform()),
};

const histogram: Mechanism<number, number[]> = {
  name: "histogram",
  claim,
  sample: (data, source) =>
    [0, 1, 2, 3, 4].map((cell) =>
      data.filter((row) => row === cell).length + laplace(source.uniform())
    ),
};

// An event of a true claim cannot tell the sides apart by more than e, and these have one that does so on half of
// the outputs. Mutants: rules above the claim by chance come first; rules compared on the draws they are found on; as few
// draws however long the audit was.
for (const [mechanism, maxDraws] of [[count, 100_000], [histogram, 20_000]] as const) {
  Deno.test(`audit() shows an event that comes as close as can be when it does not refute a ${mechanism.name}`, async () => {
    for (let seed = 1; seed <= (LONG ? 5 : 1); seed++) {
      const subject = mechanismSubject<number, unknown>(mechanism, {
        source: new SeededSource(seed),
      });
      const report = await audit(subject, { domain, maxDraws, seed });
      const { event } = report;
      assert(report.verdict === "not-refuted" && event !== null, `seed ${seed}`);
      // One audit in a hundred refutes a true claim. Its confirmation fails, and the event is counted on more draws.
      const draws = event.left.draws + event.right.draws;
      const expected = Math.max(20_000, maxDraws / 10);
      assert(report.unconfirmed === undefined ? draws === expected : draws > expected, `${draws}`);
      const [less, more] = [event.left, event.right].map(({ hits, draws }) => hits / draws)
        .toSorted((a, b) => a - b) as [number, number];
      assert(more > 0.1 && Math.log(more / less) > 0.8, `${event.description}: ${less}, ${more}`);
    }
  });
}
