import { approximate, type Claim, gaussian, pure } from "../../lib/core/claim.ts";
import type { ProgramSource, Real } from "../../lib/core/continuous_draws.ts";
import { relationNamed } from "../../lib/core/relation_named.ts";
import { alignmentCertificate } from "../../lib/exact/alignment/alignment_certificate.ts";
import { neighbourCases, pairCases } from "../../lib/exact/alignment/neighbour_cases.ts";
import type { proveAlignment } from "../../lib/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../lib/exact/alignment/trace_program.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { type Proof, requireAlignedRuns } from "./aligned_runs.ts";
import { changedAnswers, eachByOne as relation } from "./changed_answers.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";

type Prove = typeof proveAlignment;

const claims = {
  laplace: pure({ epsilon: 2, relation }),
  gaussian: gaussian({ mu: 9, relation }),
};

function proofOf(
  prove: Prove,
  run: TracedProgram,
  { claim, answers }: { readonly claim: Claim; readonly answers: number },
): Promise<Proof> {
  return prove({ name: "it", run }, { claim, cases: changedAnswers(answers) });
}

/** Outputs of several paths: shifted together where that does, else path by path, and never to another output. */
export async function requirePaths(prove: Prove, source: SeededSource): Promise<void> {
  for (const kind of ["laplace", "gaussian"] as const) {
    // Both ends move with the answer; so does what is between them.
    const outside: TracedProgram = (data, draws) => {
      const [x] = data as Real[];
      const noise = kind === "laplace"
        ? draws.laplace({ scale: 2 })
        : draws.gaussian({ deviation: 2 });
      if (draws.less(noise, x!)) return "out";
      return draws.less(draws.sum(x!, 1), noise) ? "out" : "in";
    };
    const proof = await proofOf(prove, outside, { claim: claims[kind], answers: 1 });
    const { verdict, epsilon, mu, open } = proof.report;
    requireEqual([kind, verdict, epsilon, open.length], [
      kind,
      "holds",
      kind === "laplace" ? 0.5 : 0,
      0,
    ]);
    requireNear(mu, kind === "laplace" ? 0 : 0.5, { what: "μ" });
    requireAlignedRuns(outside, proof, { runs: 20, source });
    // Outputs that show the data have no counterpart, whichever ways lead to them.
    for (
      const [shown, classes] of [
        [(x: number, way: string) => `${way === "in" ? way : `out of ${x}`}`, 1],
        [(x: number, way: string) => `${way === "in" ? `within ${x}` : "out"}`, 1],
        [(x: number, way: string) => `${way} of ${x}`, 2],
      ] as const
    ) {
      const showing: TracedProgram = (data, draws) =>
        shown((data as number[])[0]!, outside(data, draws) as string);
      const cases = pairCases([0], [1]);
      const { report } = await prove({ name: "it", run: showing }, { claim: claims[kind], cases });
      requireEqual([kind, report.verdict, report.epsilon, report.mu], [
        kind,
        "not proved",
        Infinity,
        Infinity,
      ]);
      requireEqual(report.open.length, kind === "laplace" ? 2 * classes : 4, "open outputs");
    }
    const value: TracedProgram = (data, draws) => [outside(data, draws), (data as number[])[0]!];
    const { report } = await prove({ name: "it", run: value }, {
      claim: claims[kind],
      cases: pairCases([0], [1]),
    });
    requireEqual([report.verdict, report.classes], ["not proved", 0], "data that come out");
  }
}

/** Lists of comparisons, each of an answer with noise of its own: Gaussian noise loses √Σ 1/variance, Laplace noise Σ rate. */
export async function requireLists(prove: Prove, source: SeededSource): Promise<void> {
  const deviations = [1, 2, 4];
  for (const kinds of [["gaussian"], ["laplace"], ["laplace", "gaussian"]] as const) {
    for (const answers of [1, 2, 3]) {
      const list: TracedProgram = (data, draws) => {
        for (const [i, x] of (data as Real[]).entries()) {
          const width = deviations[i]!;
          const noise = kinds[i % kinds.length] === "laplace"
            ? draws.laplace({ scale: width })
            : draws.gaussian({ deviation: width });
          if (draws.less(i % 2, draws.sum(x, noise))) return i;
        }
        return "none";
      };
      const of = (kind: string): number[] =>
        deviations.slice(0, answers).filter((_, i) => kinds[i % kinds.length] === kind);
      const epsilon = of("laplace").reduce((sum, width) => sum + 1 / width, 0);
      const mu = Math.sqrt(of("gaussian").reduce((sum, width) => sum + 1 / width ** 2, 0));
      const claim = kinds.length === 2
        ? approximate({ epsilon: 9, delta: 0.01, relation })
        : claims[kinds[0]];
      const proof = await proofOf(prove, list, { claim, answers });
      const { report } = proof, shown = `${answers} answers with ${kinds.join(" and ")} noise`;
      requireEqual([shown, report.verdict, report.classes], [
        shown,
        "holds",
        answers + 1,
      ]);
      requireNear(report.epsilon, epsilon, { what: `ε of ${shown}` });
      requireThat(report.mu >= mu * (1 - 1e-15), `μ of ${shown} is ${report.mu}, below ${mu}`);
      requireNear(report.mu, mu, { what: `μ of ${shown}`, relative: 1e-9 });
      requireAlignedRuns(list, proof, { runs: 10, source });
    }
  }
}

/** Sums and differences with Laplace noise beside Gaussian values: data are split for the former alone. */
export async function requireMixtures(prove: Prove, source: SeededSource): Promise<void> {
  const noisy = (draws: ProgramSource, ...terms: readonly Real[]): Real =>
    draws.sum(...terms, draws.laplace({ scale: 2 }));
  const mixed: TracedProgram = (data, draws) => {
    const [a, b] = data as Real[];
    return [
      noisy(draws, a!, b!),
      noisy(draws, draws.difference(a!, b!)),
      draws.sum(a!, draws.multiple(2, b!), draws.gaussian({ deviation: 3 })),
    ];
  };
  for (const [claimed, shown] of [[1, 1], [9, 2]] as const) {
    const proof = await proofOf(prove, mixed, {
      claim: approximate({ epsilon: claimed, delta: 0.9, relation }),
      answers: 2,
    });
    requireNear(proof.report.epsilon, shown, { what: "ε of a mixture" });
    const { mu } = proof.report;
    requireThat(mu >= 1 - 1e-15 && mu < 1 + 1e-9, `μ of a mixture is ${mu}`);
    requireAlignedRuns(mixed, proof, { runs: 10, source });
  }
}

/** Values with Gaussian noise: the pair that is shown has all changes that cost most. */
export async function requireGaussianPairs(prove: Prove): Promise<void> {
  for (const factors of [[1], [1, -1], [-2, 1, 3]]) {
    const values: TracedProgram = (data, draws) =>
      (data as Real[]).map((x, i) =>
        draws.sum(draws.multiple(factors[i]!, x), draws.gaussian({ deviation: 2 }))
      );
    const { report } = await proofOf(prove, values, {
      claim: claims.gaussian,
      answers: factors.length,
    });
    const { left, right } = report.worst!.pair as { left: number[]; right: number[] };
    requireEqual(left.map((x, i) => Math.abs(x - right[i]!)), factors.map(() => 1), "changes");
    requireNear(report.mu, Math.sqrt(factors.reduce((sum, each) => sum + each * each, 0)) / 2, {
      what: "μ of values",
      relative: 1e-9,
    });
  }
}

/** Rows that are lists of numbers: sums of columns, in all relations that replace, add or remove a row. */
export async function requireVectors(prove: Prove, source: SeededSource): Promise<void> {
  for (const type of ["number", "integer"] as const) {
    for (const name of ["replace-one", "add-remove-one"] as const) {
      const rows = { type: "vector", length: 2, of: { type, min: -1, max: 3 } } as const;
      const called = relationNamed(name)!;
      const sums: TracedProgram = (data, draws) =>
        [0, 1].map((k) =>
          draws.sum(
            ...(data as Real[][]).map((row) => row[k]!),
            draws.laplace({ scale: 4 }),
          )
        );
      const proof = await prove({ name: "sums", run: sums }, {
        claim: pure({ epsilon: 2, relation: called }),
        cases: neighbourCases({ rows, size: { min: 1, max: 2 } }, called)!,
      });
      // A row changes each sum by 4, or adds 3.
      requireEqual(
        [type, name, proof.report.verdict, proof.report.epsilon],
        [type, name, "holds", name === "replace-one" ? 2 : 1.5],
      );
      requireAlignedRuns(sums, proof, { runs: 4, source });
      const { cases } = JSON.parse(alignmentCertificate(proof)) as {
        readonly cases: readonly { readonly left: { readonly rows: unknown[] } }[];
      };
      for (const { left } of cases) {
        left.rows.forEach((row) =>
          requireThat(
            Array.isArray(row) && row.length === 2 &&
              row.every((form) => Object.values(form as object).join() === "1"),
            () => `a row of a certificate: ${JSON.stringify(row)}`,
          )
        );
      }
    }
  }
}

/** What happens at an end of the data alone is no less to be proved, and either way round. */
export async function requireAllPairs(prove: Prove): Promise<void> {
  const noisy = (x: Real, draws: ProgramSource): Real => draws.sum(x, draws.laplace({ scale: 1 }));
  const leaks: Record<string, TracedProgram> = {
    "the upper end": (data, draws) =>
      draws.less((data as Real[])[0]!, 5) ? noisy((data as Real[])[0]!, draws) : "leaked",
    "the lower end": (data, draws) =>
      draws.less(-5, (data as Real[])[0]!) ? noisy((data as Real[])[0]!, draws) : "leaked",
    "both ends": (data, draws) =>
      draws.less((data as Real[])[0]!, 5) && draws.less(-5, (data as Real[])[0]!)
        ? noisy((data as Real[])[0]!, draws)
        : "leaked",
  };
  for (const [where, program] of Object.entries(leaks)) {
    const { report } = await proofOf(prove, program, { claim: claims.laplace, answers: 1 });
    requireEqual([where, report.verdict], [where, "not proved"]);
  }
  // Exponential noise can rise, and not fall: a value that falls with it is another.
  const rising: TracedProgram = (data, draws) =>
    draws.sum((data as Real[])[0]!, draws.exponential({ scale: 1 }));
  for (const [left, right, open] of [[[1], [0], 1], [[0], [1], 1], [[0], [0], 0]] as const) {
    const { report } = await prove({ name: "rising", run: rising }, {
      claim: claims.laplace,
      cases: pairCases(left, right),
    });
    requireEqual(
      [report.verdict, report.open.length],
      [open > 0 ? "not proved" : "holds", open],
      `${left} beside ${right}`,
    );
  }
}
