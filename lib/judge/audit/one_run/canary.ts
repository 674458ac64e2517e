/** A row that a fair coin put into the training data or left out, and what an attack says of it afterwards. */
export interface Canary {
  /** Whether the coin put it in. */
  readonly included: boolean;
  /** Larger where the trained model looks as if the row was in. Infinities are allowed, NaN is not. */
  readonly score: number;
}
