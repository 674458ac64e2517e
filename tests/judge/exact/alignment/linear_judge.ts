/** a·x + b·y + c ≥ 0, or > 0, in whole numbers. */
export interface HalfPlane {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly strict: boolean;
}

/** Whether some point lies in all half-planes, decided by elimination (Fourier 1827; Motzkin 1936). */
export function meet(all: readonly HalfPlane[]): boolean {
  const withoutX = eliminated(all.map(({ a, b, c, strict }) => ({ by: a, rest: [b, c], strict })));
  const numbers = eliminated(
    withoutX.map(({ rest: [b, c], strict }) => ({ by: b!, rest: [c!], strict })),
  );
  return numbers.every(({ rest: [c], strict }) => strict ? c! > 0 : c! >= 0);
}

interface Bound {
  readonly by: number;
  readonly rest: readonly number[];
  readonly strict: boolean;
}

function eliminated(bounds: readonly Bound[]): Omit<Bound, "by">[] {
  const below = bounds.filter(({ by }) => by > 0), above = bounds.filter(({ by }) => by < 0);
  return [
    ...bounds.filter(({ by }) => by === 0),
    ...below.flatMap((low) =>
      above.map((high) => ({
        rest: low.rest.map((value, i) => -high.by * value + low.by * high.rest[i]!),
        strict: low.strict || high.strict,
      }))
    ),
  ];
}
