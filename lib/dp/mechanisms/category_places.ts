/**
 * The place of each category in its list.
 *
 * @throws {RangeError} when there are fewer than `least`, or two are the same.
 */
export function categoryPlaces<Category>(
  action: string,
  categories: readonly Category[],
  { least }: { readonly least: number },
): Map<Category, number> {
  const places = new Map<Category, number>();
  const { length } = categories;
  for (let i = 0; i < length; i++) places.set(categories[i]!, i);
  if (length < least || places.size !== length) {
    throw new RangeError(
      `Cannot ${action}: categories must be at least ${least} and all different: current number is ${length}`,
    );
  }
  return places;
}
