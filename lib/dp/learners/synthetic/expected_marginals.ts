import { cellsOf, marginalOf, placesOf, summedInto } from "./marginal_tables.ts";
import type { Clique, MarginalModel } from "./marginal_model.ts";

/** The law of two sets of attributes within a clique, over their union, and where its cells are in each. */
interface Joint {
  readonly table: Float64Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** The expected numbers of rows by each attribute and each pair, by their places: "3" and "0,3". */
export function expectedMarginals(model: MarginalModel): Map<string, Float64Array> {
  const { shape, size, cliques } = model;
  const marginals = new Map<string, Float64Array>(), joints = new Map<string, Joint>();
  const put = (attributes: readonly number[], law: Float64Array): void => {
    marginals.set(attributes.join(), law.map((probability) => size * probability));
  };

  /** Pairs with those after it: in its clique as they are, elsewhere by the laws given separators. */
  shape.forEach((values, a) => {
    const home = model.cliqueWith([a])!;
    const table = { attributes: home.attributes, table: home.beliefs };
    put([a], marginalOf(shape, table, [a]));
    const wanted = new Set([...shape.keys()].slice(a + 1));
    for (const b of home.attributes) {
      if (wanted.delete(b)) put([a, b], marginalOf(shape, table, [a, b]));
    }
    /** Goes on to the cliques beside one. `onTo` gives the joint law of the attribute and others of the clique. */
    const goOn = (
      at: Clique,
      cameFrom: Clique | undefined,
      onTo: (attributes: readonly number[]) => Float64Array,
    ): void => {
      for (const b of at.attributes) if (wanted.delete(b)) put([a, b], onTo([b]));
      for (const { next, separator } of neighbours(at)) {
        if (next === cameFrom) continue;
        const law = marginalOf(
          shape,
          { attributes: next.attributes, table: next.beliefs },
          separator,
        );
        const given = onTo(separator).map((p, i) => p === 0 ? 0 : p / law[i % law.length]!);
        goOn(next, at, (attributes) => {
          const joint = jointOf(next, separator, attributes), count = cellsOf(shape, attributes);
          const out = new Float64Array(values * count);
          for (let v = 0; v < values; v++) {
            const start = v * law.length, end = v * count;
            for (let i = 0; i < joint.table.length; i++) {
              const to = end + joint.to[i]!;
              out[to] = out[to]! + given[start + joint.from[i]!]! * joint.table[i]!;
            }
          }
          return out;
        });
      }
    };
    goOn(home, undefined, (attributes) => {
      const count = cellsOf(shape, attributes);
      const own = placesOf(shape, home.attributes, [a]);
      const places = placesOf(shape, home.attributes, attributes)
        .map((place, i) => own[i]! * count + place);
      return summedInto(new Float64Array(values * count), home.beliefs, places);
    });
  });
  return marginals;

  function neighbours(
    at: Clique,
  ): { readonly next: Clique; readonly separator: readonly number[] }[] {
    const near = cliques.filter(({ parent }) => cliques[parent] === at)
      .map((next) => ({ next, separator: next.separator }));
    const parent = cliques[at.parent];
    return parent === undefined ? near : [...near, { next: parent, separator: at.separator }];
  }

  function jointOf(at: Clique, one: readonly number[], other: readonly number[]): Joint {
    const key = `${cliques.indexOf(at)};${one};${other}`, known = joints.get(key);
    if (known !== undefined) return known;
    const union = at.attributes.filter((each) => one.includes(each) || other.includes(each));
    const joint = {
      table: marginalOf(shape, { attributes: at.attributes, table: at.beliefs }, union),
      from: placesOf(shape, union, one),
      to: placesOf(shape, union, other),
    };
    joints.set(key, joint);
    return joint;
  }
}
