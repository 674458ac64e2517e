import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { functionSubject } from "../../../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { outputValues } from "../../../../lib/judge/audit/kernel/outputs.ts";
import { SubjectFailure } from "../../../../lib/judge/audit/kernel/subject.ts";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { pure } from "../../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import type { Source } from "../../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { assertExactlyPrivate } from "../../../../lib/judge/testing/assert_exactly_private.ts";

const pair = pairOf(replaceOne, { left: [0], right: [1] });

// Mutant: a child of the source for each label, the same at every output.
Deno.test("a seeded subject that splits its source draws anew for every output, and repeats under one seed", async () => {
  const run = (_: unknown, source: ProgramSource): number =>
    source.split("noise").split("inner").uint32();
  const drawn = async (): Promise<unknown[]> => {
    const subject = functionSubject(run, { name: "noise", source: new SeededSource(1) });
    return [...outputValues(await subject.draw([0], 100))];
  };
  const outputs = await drawn();
  assertEquals(new Set(outputs).size, 100);
  assertEquals(await drawn(), outputs);
  // Blocks, too: each is one request.
  const mechanism = {
    name: "blocks",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    width: 1,
    sample: run,
    sampleMany: (_: unknown, count: number, source: Source) => {
      const own = source.split("noise");
      return Float64Array.from({ length: count }, () => own.uint32());
    },
  };
  const subject = mechanismSubject(mechanism, { source: new SeededSource(1) });
  const blocks = [subject.draw([0], 50), subject.draw([0], 50)] as const;
  assertEquals(
    new Set(blocks.flatMap((each) => "kind" in each ? [...outputValues(each)] : [])).size,
    100,
  );
});

// Mutants: labels forgotten between two splits; labels of different parents taken for one; an error that the program catches.
Deno.test("a label that comes twice in one output is refused by audits and by proofs", async () => {
  const twice = (source: ProgramSource): ProgramSource[] => {
    try {
      return [source.split("n"), source.split("n")];
    } catch {
      return [source, source];
    }
  };
  const coins = (_: boolean[], source: ProgramSource): boolean =>
    twice(source).every((each) => each.bernoulli({ probability: 0.5 }));
  const noise = (data: Real[], source: ProgramSource): Real[] =>
    twice(source).map((each) => source.sum(data[0]!, each.laplace({ rate: 0.5 })));
  for (const run of [coins, noise]) {
    const subject = functionSubject<never>(run, { name: "it", source: new SeededSource(1) });
    await assertRejects(async () => await subject.draw([0], 1), SubjectFailure, 'label "n"');
    await assertRejects(
      () => assertExactlyPrivate(run as typeof noise, { epsilon: 1, relation: replaceOne, pair }),
      Error,
      'label "n"',
    );
  }
  const mechanism = {
    name: "it",
    sample: coins,
    claim: pure({ epsilon: 1, relation: replaceOne }),
  };
  const subject = mechanismSubject(mechanism, { source: new SeededSource(1) });
  assertThrows(() => subject.draw([true], 1), SubjectFailure, 'label "n"');
});

Deno.test("children of different labels, and of different parents, are independent noise in a proof", async () => {
  const noisy = (data: Real[], source: ProgramSource): Real[] => {
    const [a, b] = [source.split("a"), source.split(1)];
    return [a.split("x"), b.split("x"), source.split("1")]
      .map((each) => source.sum(data[0]!, each.laplace({ rate: 0.25 })));
  };
  const report = await assertExactlyPrivate(noisy, { epsilon: 0.75, relation: replaceOne, pair });
  assertEquals(report.epsilon, 0.75);
  const coin = (data: unknown[], source: ProgramSource): boolean[] =>
    ["a", "b"].map((label) =>
      source.split(label).split("x").choice({ exponents: [0, 0.5] }) === data[0]
    );
  const enumerated = await assertExactlyPrivate(coin as never, {
    epsilon: 1,
    relation: replaceOne,
    pair,
  });
  assert("attained" in enumerated && enumerated.attained);
});
