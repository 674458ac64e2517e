import { closestName } from "./closest_name.ts";

/** Names that other libraries use, by the name of the option here. */
const CALLED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  min: ["lower", "least"],
  minimum: ["lower", "min"],
  max: ["upper", "most"],
  maximum: ["upper", "max"],
  lower: ["min"],
  upper: ["max"],
  eps: ["epsilon"],
  name: ["person", "column"],
  id: ["person"],
  by: ["column"],
  quantiles: ["levels"],
  q: ["levels"],
  bins: ["edges"],
  categories: ["values"],
  user: ["person"],
};

/**
 * Throws when a record has a field that nobody reads: a typing error would be taken for an option that was left out.
 *
 * @param call what was called, or what the record declares, for the error.
 * @param names all fields that it may have.
 */
export function requireKnown(call: string, record: object, names: readonly string[]): void {
  const unknown = Object.keys(record).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const meant = (Object.hasOwn(CALLED_OTHERWISE, unknown) ? CALLED_OTHERWISE[unknown]! : [])
    .find((name) => names.includes(name));
  throw new TypeError(
    `Cannot ${call}: fields must be among ${names.join(", ")}: current value is ${unknown}` +
      (meant === undefined ? closestName(unknown, names) : `; did you mean ${meant}?`),
  );
}
