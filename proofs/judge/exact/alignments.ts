import { gaussian, pure } from "../../../lib/core/claims/claim.ts";
import type { ProgramSource, Real } from "../../../lib/core/mechanism/continuous_draws.ts";
import { relationNamed } from "../../../lib/core/relations/relation_named.ts";
import { alignmentCertificate } from "../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { neighbourCases, pairCases } from "../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../lib/judge/exact/alignment/prove_alignment.ts";
import type { TracedProgram } from "../../../lib/judge/exact/alignment/trace_program.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { type Proof, requireAlignedRuns } from "./checks/aligned_runs.ts";
import { alignedForms } from "./checks/aligned_forms.ts";
import { brokenForms } from "./checks/broken_forms.ts";
import { changedAnswers, eachByOne as each } from "./checks/changed_answers.ts";
import type { ContinuousForm } from "./checks/continuous_form.ts";
import { PageCertificates } from "../../engine/page_certificates.ts";
import { requireLines } from "./checks/generated_lines.ts";
import { casesInTurn, requireEqual, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

type Prove = typeof proveAlignment;

/** Programs on lists of eight take seconds: tests/judge/exact/alignment proves them. */
/** Programs whose datasets are so few that each shift is tried. */
export const short: typeof alignedForms = alignedForms.filter(({ domain }) => domain.size.max <= 6);

/** Data and noises that each shift is tried on. */
const RUNS = 12;

function proofOf(
  prove: Prove,
  { name, program, domain, relation: called }: ContinuousForm,
): Promise<Proof> {
  const relation = relationNamed(called)!;
  return prove(
    { name, run: (data, source) => program(data as number[], source) },
    { claim: pure({ epsilon: 1, relation }), cases: neighbourCases(domain, relation)! },
  );
}

function changed(of: (proof: Proof) => Proof): Prove {
  return async (...args) => of(await proveAlignment(...args));
}

/** Alignments of continuous noise. */
export const alignments = theorem<Prove>({
  id: "exact/alignments",
  statement:
    "dpcheck exact proves continuous programs (Laplace noise, histograms, clamped sums, noisy max with three kinds of noise, sparse vectors) with the loss " +
    "that is known, for all answers at once, and does not prove those that break their claim; noise, shifted as the alignment says, gives the same output " +
    "on the neighbour, at no more than the reported cost.",
  citation:
    "Albarghouthi, Hsu 2018; Wang, Ding, Wang, Kifer, Zhang 2019; Lyu, Su, Li 2017; Ding, Wang, Wang, Zhang, Kifer 2018",
  source: "lib/judge/exact/alignment",
  remember: () =>
    `${short.length} programs are proved for all answers at once, and ${brokenForms.length} that break their claim are not.`,
  kind: "sampled",
  checked:
    `${short.length} programs that keep 1-DP and ${brokenForms.length} that do not, each shift on ${RUNS} generated data and noises of each case; twelve generated lines of Laplace and of Gaussian noise by the corners of their changes; splits of data, two classes that could go to one, Gaussian noise with two shifts`,
  assumptions: ["noise and data are real numbers"],
  subject: proveAlignment,
  check: async (prove, { seed }) => {
    const certificates = new PageCertificates("scripts/check_alignment.ts");
    const source = new SeededSource(seed).split("alignments");
    const runs = (program: TracedProgram, proof: Proof, count: number): void => {
      const compared = requireAlignedRuns(program, proof, { runs: count, source });
      requireThat(compared > 0, "no runs were compared");
    };
    const outcome = await casesInTurn({
      "programs that keep their claim": async () => {
        for (const form of short) {
          const proof = await proofOf(prove, form), { report } = proof;
          requireEqual([form.name, report.verdict, report.epsilon, report.mu], [
            form.name,
            "holds",
            form.proved,
            0,
          ]);
          runs((data, draws) => form.program(data as number[], draws), proof, RUNS);
          certificates.add(form.name, alignmentCertificate(proof));
        }
      },
      "programs that break it": async () => {
        for (const form of brokenForms) {
          const proof = await proofOf(prove, form), { report } = proof;
          requireEqual([form.name, report.verdict, report.epsilon], [
            form.name,
            "not proved",
            form.proved,
          ]);
          const { left, right } = report.worst!.pair as { left: number[]; right: number[] };
          const relation = relationNamed(form.relation)!;
          requireThat(
            relation.violation(left, right) === undefined,
            `${form.name}: no neighbours`,
          );
          // A bound that is finite is attained at the ends of all changes.
          const reach = Math.max(...left.map((x, i) => Math.abs(x - right[i]!)));
          requireEqual([form.name, reach], [form.name, 1]);
          if (form.proved < Infinity) {
            runs((data, draws) => form.program(data as number[], draws), proof, RUNS);
          } else requireThat(report.open.length > 0, `${form.name}: nothing is open`);
        }
      },
      "generated lines": () => requireLines(prove, { source, runs }),
      "data that are split": async () => {
        // |a + b| and |a − b| are never both 2.
        const sums: TracedProgram = (data, draws) => {
          const [a, b] = data as Real[];
          return [
            draws.sum(a!, b!, draws.laplace({ scale: 2 })),
            draws.sum(draws.difference(a!, b!), draws.laplace({ scale: 2 })),
          ];
        };
        const proof = await prove({ name: "sums", run: sums }, {
          claim: pure({ epsilon: 1, relation: each }),
          cases: changedAnswers(2),
        });
        requireEqual([proof.report.verdict, proof.report.epsilon], ["holds", 1]);
        requireEqual(proof.details.map(({ proof: { kind } }) => kind), ["split"]);
        runs(sums, proof, 60);
      },
      "two classes, one on the right": async () => {
        const two: TracedProgram = (data, draws) => {
          const [a, b, more] = data as [number, number, number];
          const value = draws.laplace({ rate: 2 ** -10 }), noise = draws.laplace({ rate: 1 });
          if (draws.less(noise, a)) return "low";
          if (draws.less(noise, a + 1)) return ["in", value];
          return draws.less(noise, b) ? ["in", draws.sum(value, more)] : "high";
        };
        const lossOf = async (left: number[], right: number[]): Promise<number> =>
          (await prove({ name: "two", run: two }, {
            claim: pure({ epsilon: 6, relation: each }),
            cases: pairCases(left, right),
          })).report.epsilon;
        requireEqual(await lossOf([0, 1, 0], [5, 6, 0]), 5);
        // P(0 < noise < 2)/P(5 < noise < 6); each half of the former alone has a shift of 5 at most.
        const truth = Math.log(1 - Math.exp(-2)) - Math.log(Math.exp(-5) - Math.exp(-6));
        requireThat(await lossOf([0, 2, 0.5], [5, 6, 0]) >= truth - 1e-3, "counted twice");
      },
      "Gaussian noise": async () => {
        const normal = (list: unknown, draws: ProgramSource): Real[] =>
          (list as Real[]).map((x) => draws.sum(x, draws.gaussian({ deviation: 4 })));
        const proof = await prove({ name: "normal", run: normal }, {
          claim: gaussian({ mu: 0.4331, relation: each }),
          cases: changedAnswers(3),
        });
        // μ = √3/4.
        requireEqual([proof.report.verdict, proof.report.epsilon], ["holds", 0]);
        const { mu } = proof.report;
        requireThat(mu >= Math.sqrt(3) / 4 && mu < Math.sqrt(3) / 4 + 1e-15, `μ of ${mu}`);
        runs(normal, proof, 40);
        const tails: TracedProgram = (data, draws) => {
          const [limit] = data as [number], noise = draws.gaussian({ deviation: 1 });
          return draws.less(limit, noise) ? "high" : draws.less(noise, -limit) ? "low" : "middle";
        };
        const { report } = await prove({ name: "tails", run: tails }, {
          claim: gaussian({ mu: 9, relation: each }),
          cases: pairCases([0.5], [1.5]).slice(0, 1),
        });
        requireEqual([report.verdict, report.mu, report.open.length], [
          "not proved",
          Infinity,
          3,
        ]);
      },
    });
    return { ...outcome, certificates: certificates.all };
  },
  mutants: {
    "losses of half": changed(({ report, details }) => ({
      report: { ...report, epsilon: report.epsilon / 2 },
      details,
    })),
    "all are proved": changed(({ report, details }) => ({
      report: { ...report, verdict: "holds" },
      details,
    })),
    "noise that stays where it is": changed(({ report, details }) => ({
      report,
      details: details.map((each) => withoutShifts(each)),
    })),
    "answers that change by half": (program, options) =>
      proveAlignment(program, {
        ...options,
        cases: options.cases.map((one) => ({
          ...one,
          premises: [
            ...one.premises,
            ...one.premises.map(({ form, strict }) => ({
              strict,
              form: [...form.keys()].every((name) => name === "" || name.startsWith("c"))
                ? new Map([...form].map(([name, value]) => [
                  name,
                  name === "" ? rational(value.numerator, 2n * value.denominator) : value,
                ]))
                : form,
            })),
          ],
        })),
      }),
  },
});

function withoutShifts(one: Proof["details"][number]): Proof["details"][number] {
  const { proof } = one;
  if (proof.kind !== "leaf") return one;
  const { alignment } = proof;
  const classes = alignment.classes.map((aligned) => ({
    ...aligned,
    shift: { ...aligned.shift, shift: new Map() },
  }));
  return { ...one, proof: { ...proof, alignment: { ...alignment, classes } } };
}
