/** The refusals of bad arguments, worded in one place: action, name, rule, value. Never rows. */

/** Throws unless `value` is a finite number above 0. */
export function requirePositive(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value > 0 && Number.isFinite(value))) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be positive and finite: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is a finite number of at least 0. */
export function requireNonNegative(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value >= 0 && Number.isFinite(value))) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be at least 0 and finite: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is an integer from `min` to `max`. */
export function requireInteger(
  action: string,
  name: string,
  value: number,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } =
    {},
): void {
  if (!(Number.isSafeInteger(value) && value >= min && value <= max)) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is the order of a Rényi divergence: above 1 and finite. */
export function requireOrder(action: string, name: string, value: number): void {
  if (!(value > 1 && Number.isFinite(value))) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be above 1 and finite: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is in [0, 1). */
export function requireDelta(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value >= 0 && value < 1)) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be in [0, 1): current value is ${value}`,
    );
  }
}
