import { assertEquals, assertThrows } from "@std/assert";
import { alignedForms } from "../../../proofs/judge/exact/checks/aligned_forms.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../lib/core/mechanism/continuous_draws.ts";
import { relationNamed } from "../../../lib/core/relations/relation_named.ts";
import { NotDerived } from "../../../lib/judge/certificates/checked_program.ts";
import { deriveAgain } from "../../../lib/judge/certificates/second_tracer.ts";
import { alignmentCertificate } from "../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { neighbourCases } from "../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../lib/judge/exact/alignment/prove_alignment.ts";

type Program = (data: readonly Real[], source: ProgramSource) => unknown;

async function certificateOf(
  program: Program,
  { relation: called = "change-each-by-1", size = 2 } = {},
): Promise<string> {
  const relation = relationNamed(called)!;
  return alignmentCertificate(
    await proveAlignment(
      { name: "it", run: (data, source) => program(data as Real[], source) },
      {
        claim: pure({ epsilon: 4, relation }),
        cases: neighbourCases(
          { rows: { type: "number", min: 0, max: 4 }, size: { min: size, max: size } },
          relation,
        )!,
      },
    ),
  );
}

const derive = (certificate: string, program: Program): number =>
  deriveAgain(certificate, (data, source) => program(data as Real[], source as ProgramSource));

// Mutants: a comparison that a path does not know; draws by their place alone.
Deno.test("deriveAgain() finds the paths of published programs", async () => {
  for (const { name, program, domain, relation: called } of alignedForms) {
    if (domain.size.max > 6) continue;
    const relation = relationNamed(called)!;
    const proof = await proveAlignment(
      { name, run: (data, source) => program(data as number[], source) },
      { claim: pure({ epsilon: 1, relation }), cases: neighbourCases(domain, relation)! },
    );
    const paths = deriveAgain(
      alignmentCertificate(proof),
      (data, source) => program(data as number[], source as ProgramSource),
    );
    assertEquals(paths, proof.report.paths, name);
  }
});

const noisy: Program = (data, source) =>
  data.map((x) => source.sum(x, source.laplace({ scale: 1 })));
const largest: Program = (data, source) => source.indexOfLargest(noisy(data, source) as Real[]);
const clamped: Program = (data, source) =>
  source.sum(...data.map((x) => source.less(x, 2) ? x : 2), source.laplace({ scale: 2 }));

Deno.test("deriveAgain() rejects paths that are not the program's", async () => {
  const of = { noisy: await certificateOf(noisy), largest: await certificateOf(largest) };
  const split = await certificateOf(clamped, { relation: "replace-one" });
  const others: [string, Program][] = [
    [of.noisy, (data, source) => data.map((x) => source.sum(x, source.laplace({ scale: 0.5 })))],
    [of.noisy, (data, source) => data.map((x) => source.sum(x, 1, source.laplace({ scale: 1 })))],
    [of.noisy, (data, source) => data.map((x) => source.sum(x, source.gumbel({ scale: 1 })))],
    [of.noisy, (data, source) => [...noisy(data, source) as Real[], data[0]]],
    [of.noisy, largest],
    [of.largest, noisy],
    [
      of.largest,
      (data, source) => source.indexOfLargest([...noisy(data, source) as Real[]].reverse()),
    ],
    [
      split,
      (data, source) =>
        source.sum(...data.map((x) => source.less(x, 2) ? x : 3), source.laplace({ scale: 2 })),
    ],
  ];
  for (const [place, [certificate, program]] of others.entries()) {
    assertThrows(() => derive(certificate, program), Error, undefined, `${place}`);
  }
  // One label for two outputs; other names of outputs, or one name for two labels, tell no more than the certificate says.
  const merged = of.largest.replaceAll('"label":"1', '"label":"0');
  assertThrows(() => derive(merged, largest), Error, "another output has this label");
  const renamed: Program[] = [
    (data, source) => largest(data, source) === 0 ? 1 : 0,
    (data, source) => [largest(data, source), 1][1],
  ];
  for (const program of renamed) assertEquals(derive(of.largest, program), 4);
  assertEquals([derive(of.noisy, noisy), derive(split, clamped) > 2], [2, true]);
});

Deno.test("deriveAgain() does not follow what goes beyond the source", async () => {
  const certificate = await certificateOf(noisy);
  const programs: Program[] = [
    (data, source) => data.map((x) => (x as number) + (source.laplace({ scale: 1 }) as number)),
    (data, source) => [...noisy(data, source) as Real[], Math.random()],
    (data, source) => [...noisy(data, source) as Real[], source.uniform()],
    (data, source) => new Map([[0, noisy(data, source)]]),
    (data, source) => ({
      get now() {
        return noisy(data, source);
      },
    }),
    (data, source) => [source.multiple(NaN, data[0]!), noisy(data, source)],
  ];
  for (const program of programs) assertThrows(() => derive(certificate, program), NotDerived);
  const caught =
    (what: (data: readonly Real[], source: ProgramSource) => void): Program => (data, source) => {
      try {
        what(data, source);
      } catch { /* The refusal stands all the same. */ }
      return noisy(data, source);
    };
  const attempts: ((data: readonly Real[], source: ProgramSource) => void)[] = [
    (data) => void (1 + (data[0] as number)),
    () => Math.random(),
    () => crypto.getRandomValues(new Uint8Array(1)),
    (data, source) => source.multiple(data[0] as number, data[0]!),
    (data) => `${data[0]}`,
  ];
  for (const attempt of attempts) {
    assertThrows(() => derive(certificate, caught(attempt)), NotDerived);
  }
});
