/** Returns the number of cells of the marginal of the given attributes. */
export function cellsOf(shape: readonly number[], attributes: readonly number[]): number {
  return attributes.reduce((product, attribute) => product * shape[attribute]!, 1);
}

/** The place of a row among the cells of some attributes, the last fastest. */
export function placeIn(
  shape: readonly number[],
  attributes: readonly number[],
): (row: ArrayLike<number>) => number {
  return (row) =>
    attributes.reduce((place, attribute) => place * shape[attribute]! + row[attribute]!, 0);
}

/** Returns, for each cell of the attributes, the index of its cell among those of the kept attributes. */
export function placesOf(
  shape: readonly number[],
  attributes: readonly number[],
  kept: readonly number[],
): Uint32Array {
  const places = new Uint32Array(cellsOf(shape, attributes));
  let stride = places.length;
  for (const attribute of attributes) {
    const values = shape[attribute]!, at = kept.indexOf(attribute);
    stride /= values;
    if (at < 0) continue;
    const step = cellsOf(shape, kept.slice(at + 1));
    for (let from = 0, code = 0; from < places.length; from += stride) {
      for (let i = from; i < from + stride; i++) places[i] = places[i]! + code * step;
      code = code + 1 === values ? 0 : code + 1;
    }
  }
  return places;
}

/** Adds each value to the place that it has. Returns `out`. */
export function summedInto(
  out: Float64Array,
  values: Float64Array,
  places: Uint32Array,
): Float64Array {
  for (let i = 0; i < values.length; i++) out[places[i]!] = out[places[i]!]! + values[i]!;
  return out;
}

/** The marginal of the attributes kept. */
export function marginalOf(
  shape: readonly number[],
  { attributes, table }: { readonly attributes: readonly number[]; readonly table: Float64Array },
  kept: readonly number[],
): Float64Array {
  const out = new Float64Array(cellsOf(shape, kept));
  return summedInto(out, table, placesOf(shape, attributes, kept));
}

/** Items by a key, each group in their order. */
export function grouped<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item), group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
