import { noisyMax } from "../../fixtures/mutants/noisy_max.ts";
import { algorithm1, sparseVector } from "../../fixtures/mutants/sparse_vector.ts";
import { audit } from "../../lib/audit/audit.ts";
import type { AuditOptions } from "../../lib/audit/options.ts";
import type { AuditReport } from "../../lib/audit/report.ts";
import { mechanismSubject } from "../../lib/audit/subjects/mechanism_subject.ts";
import { approximate, type Claim, pure } from "../../lib/core/claim.ts";
import type { Domain } from "../../lib/core/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { changeEach, replaceOne } from "../../lib/core/relation.ts";
import { gaussianDelta } from "../../lib/numeric/gaussian_delta.ts";
import { floatLaplace } from "../../lib/random/float_laplace.ts";
import { floatNormal } from "../../lib/random/float_normal.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

const oneAnswer: Domain = { rows: { type: "number", min: -10, max: 10 }, size: { min: 1, max: 1 } };
const oneBit: Domain = { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 1 } };

/** Tells the truth with probability e^ε/(1+e^ε): every bet of the proof is fair here. */
export function randomisedResponse(epsilon: number): Mechanism<number, number> {
  const truthful = 1 / (1 + Math.exp(-epsilon));
  return {
    name: `randomised response, ε = ${epsilon}`,
    claim: pure({ epsilon, relation: replaceOne }),
    domain: oneBit,
    width: 1,
    sample: (data, source) => (source.uniform() < truthful ? data[0]! : 1 - data[0]!),
    sampleMany(data, count, source): Float64Array {
      const out = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        out[i] = source.uniform() < truthful ? data[0]! : 1 - data[0]!;
      }
      return out;
    },
  };
}

/** A randomised answer between two coins that tell nothing: outputs of many parts, few different ones. */
export function answerAmongCoins(epsilon: number): Mechanism<number, unknown> {
  const { sampleMany, ...answer } = randomisedResponse(epsilon);
  const sampleRows: NonNullable<Mechanism<number, unknown>["sampleMany"]> = (
    data,
    count,
    source,
  ) => {
    const answers = sampleMany!(data, count, source);
    return Float64Array.from(
      { length: 3 * count },
      (_, at) => at % 3 === 1 ? answers[(at - 1) / 3]! : source.uint32() & 3,
    );
  };
  return {
    ...answer,
    name: `${answer.name}, among coins`,
    width: 3,
    sample: (data, source) => [...sampleRows(data, 1, source)],
    sampleMany: sampleRows,
  };
}

/** One answer plus noise that fills arrays. */
function additive(
  name: string,
  claim: Claim,
  fill: (source: Parameters<typeof floatLaplace>[0], out: Float64Array) => unknown,
): Mechanism<number, number> {
  const sampleMany: NonNullable<Mechanism<number, number>["sampleMany"]> = (
    data,
    count,
    source,
  ) => {
    const out = new Float64Array(count);
    fill(source, out);
    for (let i = 0; i < count; i++) out[i]! += data[0]!;
    return out;
  };
  return {
    name,
    claim,
    domain: oneAnswer,
    width: 1,
    sample: (data, source) => sampleMany(data, 1, source)[0]!,
    sampleMany,
  };
}

/** One answer of sensitivity 1 plus Lap(noise/ε); `noise` 1 keeps the claim. */
export function laplace(
  epsilon: number,
  { noise = 1 }: { noise?: number } = {},
): Mechanism<number, number> {
  const claim = pure({ epsilon, relation: changeEach({ by: 1 }) });
  return additive(
    `Laplace with ${noise} of the noise, ε = ${epsilon}`,
    claim,
    (source, out) => floatLaplace(source, out, { scale: noise / epsilon }),
  );
}

/** One answer of sensitivity 1 plus N(0, noise²/μ²), under whatever claim. */
export function gaussianNoise(
  claim: Claim,
  { mu, noise = 1 }: { mu: number; noise?: number },
): Mechanism<number, number> {
  return additive(
    `Gaussian with ${noise} of the noise under a ${claim.kind} claim`,
    claim,
    (source, out) => floatNormal(source, out, { scale: noise / mu }),
  );
}

/** Mechanisms that keep their claims with nothing to spare, or the strictest proven ones. */
export function exactMechanisms(): Mechanism<number, unknown>[] {
  const relation = changeEach({ by: 1 });
  const epsilon = 1;
  return [
    randomisedResponse(epsilon),
    laplace(epsilon),
    sparseVector(
      { name: "SVT1", epsilon: 0.1, size: 10 },
      algorithm1({ epsilon: 0.1, cutoff: 1, threshold: 0.5 }),
    ),
    noisyMax({
      name: "ReportNoisyMax1",
      epsilon: 0.1,
      size: 5,
      scale: 2 / 0.1,
      fill: floatLaplace,
      release: "index",
    }),
    gaussianNoise(approximate({ epsilon: 1, delta: gaussianDelta(1, 1), relation }), { mu: 1 }),
  ];
}

/** One audit, reproducible from its number. */
export function auditNumber(
  run: number,
  mechanism: Mechanism<number, unknown>,
  options: AuditOptions,
): Promise<AuditReport> {
  const source = new SeededSource(run).split(`quality ${mechanism.name}`);
  return audit(mechanismSubject(mechanism, { source }), {
    seed: run,
    alpha: 0.05,
    shrink: false,
    ...options,
  });
}
