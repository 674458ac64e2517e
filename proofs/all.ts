import { pendingTheorems } from "./pending.ts";
import type { PendingTheorem, Theorem } from "./theorem.ts";
import { exponential } from "./mechanisms/exponential.ts";
import { geometric } from "./mechanisms/geometric.ts";
import { kAryRandomisedResponse } from "./mechanisms/k_ary_randomised_response.ts";
import { noisyMax } from "./mechanisms/noisy_max.ts";
import { permuteAndFlip } from "./mechanisms/permute_and_flip.ts";
import { randomisedResponse } from "./mechanisms/randomised_response.ts";
import { randomisedResponseMean } from "./mechanisms/randomised_response_mean.ts";
import { sparseVector } from "./mechanisms/sparse_vector.ts";
import { exponentialWithoutHalf } from "./false_claims/exponential_without_half.ts";
import { noisyMaxHalfNoise } from "./false_claims/noisy_max_half_noise.ts";
import { sparseVectorChen } from "./false_claims/sparse_vector_chen.ts";
import { sparseVectorLeeClifton } from "./false_claims/sparse_vector_lee_clifton.ts";
import { sparseVectorStoddard } from "./false_claims/sparse_vector_stoddard.ts";

/** Every theorem and every published claim that is false, by folder, then what has no check yet. */
export const theorems: readonly (Theorem | PendingTheorem)[] = [
  exponential,
  geometric,
  kAryRandomisedResponse,
  noisyMax,
  permuteAndFlip,
  randomisedResponse,
  randomisedResponseMean,
  sparseVector,
  exponentialWithoutHalf,
  noisyMaxHalfNoise,
  sparseVectorChen,
  sparseVectorLeeClifton,
  sparseVectorStoddard,
  ...pendingTheorems,
];
