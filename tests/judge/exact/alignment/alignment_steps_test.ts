import { approximate, pure, renyi, zcdp } from "../../../../lib/core/mod.ts";
import type { Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { formKey, plus, times, variable } from "../../../../lib/judge/exact/alignment/affine.ts";
import { alignmentCertificate } from "../../../../lib/judge/exact/alignment/alignment_certificate.ts";
import {
  type NeighbourCase,
  neighbourCases,
} from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import {
  type AlignmentReport,
  proveAlignment,
} from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { muUp } from "../../../../lib/judge/exact/alignment/keeps_claim.ts";
import { NoiseLaws, supportConstraints } from "../../../../lib/judge/exact/alignment/noise_laws.ts";
import { isShift, muSquaredOf } from "../../../../lib/judge/exact/alignment/shift.ts";
import { leavesOf } from "../../../../lib/judge/exact/alignment/prove_case.ts";
import type { TracedProgram } from "../../../../lib/judge/exact/alignment/trace_program.ts";
import { multiply, rational, toNumber } from "../../../../lib/core/numeric/rational.ts";
import {
  requireEqual,
  requireRefused,
  requireThat,
} from "../../../../proofs/engine/requirement.ts";
import { alignedForms } from "../../../../proofs/judge/exact/checks/aligned_forms.ts";
import {
  changedAnswers,
  eachByOne as each,
} from "../../../../proofs/judge/exact/checks/changed_answers.ts";

const casesOf = (size: number): readonly NeighbourCase[] =>
  changedAnswers(size, { min: -4, max: 6 });

const form = (name: string): TracedProgram => (data, source) =>
  alignedForms.find((found) => found.name === name)!.program(data as Real[], source);

const normal: TracedProgram = (data, source) =>
  (data as Real[]).map((x) => source.sum(x, source.gaussian({ deviation: 2 })));

Deno.test("shifts with one part changed are rejected", async () => {
  const least = muUp(rational(1n, 1n << 2400n));
  requireThat(least > 0 && least < 1e-100, `μ of ${least} for 2^−1200`);
  requireInjective();
  const claim = pure({ epsilon: 1, relation: each });
  for (
    const [name, program] of [
      ["noisy max, exponential", form("noisy max, exponential")],
      ["noisy max, Gumbel", form("noisy max, Gumbel")],
      ["sparse vector with gaps", form("sparse vector with gaps")],
      ["a value", form("Laplace noise")],
      ["normal", normal],
    ] as const
  ) {
    const { details } = await proveAlignment({ name, run: program }, { claim, cases: casesOf(2) });
    for (const { proof, laws } of details) {
      for (const { premises, alignment: { classes } } of leavesOf(proof)) {
        const options = { premises, laws };
        for (const { left, right, outer, inner, shift } of classes) {
          const pair = {
            left: outer.constraints,
            right: inner.constraints,
            released: left.output.released.map((from, i) =>
              [from, right.output.released[i]!] as const
            ),
          };
          requireThat(isShift(shift, pair, options), `${name}: a shift that was found`);
          const one = rational(1), twice = rational(2);
          const moved = [...shift.shift].map(([noise, by]) => ({
            ...shift,
            shift: new Map([...shift.shift, [noise, plus(by, variable(noise))]]),
          }));
          const broken = [
            ...moved,
            { ...shift, epsilon: { ...shift.epsilon, numerator: shift.epsilon.numerator - 1n } },
            ...shift.mapped.flatMap((why, i) =>
              why.map(([place, by], k) => ({
                ...shift,
                mapped: shift.mapped.with(i, why.with(k, [place, multiply(twice, by)])),
              }))
            ),
            ...(shift.mapped.length > 0 ? [{ ...shift, mapped: shift.mapped.slice(1) }] : []),
            { ...shift, mapped: [...shift.mapped, []] },
            ...(shift.supported.length > 0 ? [{ ...shift, supported: [] }] : []),
            // Another reason, or none, for one draw; the others keep theirs.
            ...shift.supported.flatMap(([noise, why], i) =>
              [[], [[0, one] as const], why.slice(1)].map((other) => ({
                ...shift,
                supported: shift.supported.with(i, [noise, other]),
              }))
            ),
            ...(shift.bounds.length > 0 ? [{ ...shift, bounds: [] }] : []),
            ...shift.bounds.flatMap((bound, i) => [
              ...(bound.above.length > 0
                ? [{ ...shift, bounds: shift.bounds.with(i, { ...bound, above: [] }) }]
                : []),
              ...(bound.below.length > 0
                ? [{ ...shift, bounds: shift.bounds.with(i, { ...bound, below: [] }) }]
                : []),
            ]),
            ...(shift.total.length > 0 ? [{ ...shift, total: [] }] : []),
          ];
          broken.forEach((other, k) =>
            requireThat(!isShift(other, pair, options), `${name}: broken shift ${k} is taken`)
          );
          const noises = [...shift.shift.keys()];
          if (pair.released.length > 0 && noises.length > 0) {
            const other = pair.released.map(([from, to]) =>
              [plus(from, variable(noises[0]!)), to] as const
            );
            requireThat(!isShift(shift, { ...pair, released: other }, options), `${name}: a value`);
          }
        }
        const squares = muSquaredOf(classes.map(({ shift }) => shift), laws);
        requireEqual([name, toNumber(squares)], [name, name === "normal" ? 0.5 : 0]);
      }
    }
  }
});

/** A shift by noise is none: two draws that both become one cost nothing together, and all that they tell is lost. */
function requireInjective(): void {
  const laws = new NoiseLaws();
  const [one, other] = [0, 1].map((i) =>
    laws.nameOf(i, { kind: "exponential", rate: rational(1) })
  );
  const first = variable(one!), less = times(rational(-1), first);
  const stays = supportConstraints(laws).map(({ form }) => formKey(form));
  const place = (name: string) => [[stays.indexOf(formKey(variable(name))), rational(1)] as const];
  const shift = {
    shift: new Map([[one!, less], [other!, first]]),
    mapped: [],
    supported: [[one!, []], [other!, [...place(one!), ...place(other!)]]] as const,
    bounds: [],
    epsilon: rational(0),
    total: [],
  };
  const pair = { left: [], right: [], released: [] };
  requireThat(
    !isShift(shift, pair, { premises: [], laws }),
    "two draws that become one are a shift",
  );
}

Deno.test("certificates say what was proved", async () => {
  const rows = { type: "number", min: 0, max: 4 } as const;
  const cases = neighbourCases({ rows, size: { min: 1, max: 1 } }, each)!;
  const of = (
    run: TracedProgram,
    claim: AlignmentReport["claim"],
  ): ReturnType<typeof proveAlignment> => proveAlignment({ name: "it", run }, { claim, cases });
  const value: TracedProgram = (data, source) =>
    source.sum((data as Real[])[0]!, source.laplace({ rate: rational(2, 3) }));
  const claim = pure({ epsilon: 1, relation: each });
  const text = alignmentCertificate(await of(value, claim));
  const json = JSON.parse(text);
  requireThat(text.endsWith("}\n"), "a line");
  requireEqual([json.dpcheck, json.program.name, json.claim.epsilon], [
    "alignment certificate 2",
    "it",
    1,
  ]);
  const [only] = json.cases, [aligned] = only.proof.classes;
  requireEqual([only.left, only.right, only.noise], [
    { rows: [{ x0: "1" }] },
    { rows: [{ x0: "1", c0: "1" }] },
    { n0: { kind: "laplace", size: "2/3" } },
  ]);
  requireEqual(only.premises.length, 6);
  requireEqual(only.premises[0], [{ c0: "1", "": "1" }, false]);
  requireEqual([only.proof.left.released, only.proof.right.released], [
    [{ x0: "1", n0: "1" }],
    [{ x0: "1", c0: "1", n0: "1" }],
  ]);
  requireEqual([aligned.left, aligned.right, aligned.excluded, aligned.shift, aligned.epsilon], [
    [0],
    [0],
    null,
    { n0: { c0: "-1" } },
    "2/3",
  ]);
  // What the multipliers say: 2/3 − (2/3)·bound is a sum of premises.
  const bound = aligned.bounds.n0;
  requireThat(bound.above.length + bound.below.length > 0 || aligned.total.length > 0, "no reason");
  for (
    const [run, other, kind] of [
      [normal, zcdp({ rho: 0.125, relation: each }), "zcdp"],
      [normal, approximate({ epsilon: 1, delta: 0.1, relation: each }), "gaussian"],
      [normal, renyi({ order: 2, epsilon: 1, relation: each }), "gaussian"],
      [value, renyi({ order: 2, epsilon: 1, relation: each }), "pure"],
      [value, approximate({ epsilon: 1, delta: 0.1, relation: each }), "approximate"],
    ] as const
  ) {
    const { claim } = JSON.parse(alignmentCertificate(await of(run, other)));
    requireEqual(claim.kind, kind);
  }
  const wide: TracedProgram = (
    data,
    source,
  ) => [value(data, source), ...normal(data, source) as Real[]];
  const mixed = await of(wide, approximate({ epsilon: 2, delta: 0.2, relation: each }));
  requireEqual(mixed.report.verdict, "holds");
  requireRefused("both kinds of noise", () => alignmentCertificate(mixed), "all Gaussian");
  const open = await of(value, pure({ epsilon: 0.5, relation: each }));
  requireRefused("what was not proved", () => alignmentCertificate(open), "must have been proved");
  // A loop whose classes have several paths, and ways that no noise takes.
  const loop: TracedProgram = (data, source) => {
    const [a] = data as [Real];
    const [x, y, z] = [a, 0, 0].map((each) =>
      source.sum(each, source.exponential({ scale: 2 }))
    ) as [Real, Real, Real];
    if (source.less(x, y)) return source.less(y, z) ? source.less(x, z) ? 2 : 0 : 1;
    return source.less(x, z) ? 2 : 0;
  };
  const several = JSON.parse(alignmentCertificate(await of(loop, claim)));
  const leaf = several.cases[0].proof;
  const merged = leaf.classes.find(({ left }: { left: number[] }) => left.length > 1);
  requireThat(merged !== undefined && merged.excluded.length > 0, "a class of several paths");
  requireEqual(merged.included.length, merged.left.length);
  requireThat(JSON.stringify(leaf.left).includes('"empty":[['), "a way that no noise takes");
  requireEqual(
    [leaf.left.forms.length, leaf.left.ways.length],
    [2, 2],
    "a comparison of two forms",
  );
  const split: TracedProgram = (data, source) => {
    const [a] = data as [Real];
    return source.sum(source.less(a, 2) ? a : 2, source.laplace({ scale: 1 }));
  };
  const apart = JSON.parse(alignmentCertificate(await of(split, claim))).cases[0].proof;
  requireEqual(Object.keys(apart), ["split", "above", "other"]);
});

Deno.test("tight pairs attain the loss that is proved", async () => {
  const worst = async (run: TracedProgram): Promise<AlignmentReport["worst"]> =>
    (await proveAlignment({ name: "it", run }, {
      claim: pure({ epsilon: 1, relation: each }),
      cases: casesOf(4),
    })).report.worst;
  const noisy = (kind: "laplace" | "exponential"): TracedProgram => (data, source) =>
    source.indexOfLargest((data as Real[]).map((x) => source.sum(x, source[kind]({ scale: 1 }))));
  requireEqual(await worst(noisy("laplace")), {
    output: 0,
    pair: { left: [1, 1, 1, 1], right: [0, 2, 2, 2] },
  });
  const largest: TracedProgram = (data, source) => {
    const values = (data as Real[]).map((x) => source.sum(x, source.exponential({ scale: 1 })));
    return values[source.indexOfLargest(values)];
  };
  requireEqual(await worst(largest), {
    output: null,
    pair: { left: [1, 1, 1, 1], right: [2, 2, 2, 2] },
  });
  // A row that is one number exactly, on one side alone; 1.37 is no sum of doubles from here.
  const { left, right } = (await worst((data, source) => {
    const [x] = data as [Real];
    return source.less(x, 1.37) || source.less(1.37, x) ? source.laplace({ scale: 1 }) : "it";
  }))!.pair as { left: number[]; right: number[] };
  requireEqual([left[0] === 1.37, right[0] === 1.37].filter((is) => is).length, 1);
  requireEqual((await worst(() => 1))!.output, 1);
});
