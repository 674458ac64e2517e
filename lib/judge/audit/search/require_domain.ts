import { closestName } from "../../../core/text/closest_name.ts";
import type { Domain, RowSpec } from "../../../core/relations/dataset.ts";
import {
  isTextOf,
  mayHaveNorm,
  NORM_RULE,
  TEXT_LENGTH_RULE,
  TEXT_VALUES_RULE,
  textLengths,
} from "../../../core/relations/text_rows.ts";

/** The kinds of rows of a domain. */
const ROW_TYPES = ["number", "integer", "boolean", "category", "text", "vector", "record"];

/** Refuses what is no domain: callers without type checks may get it wrong. @throws {RangeError} naming the field and the rule. */
export function requireDomain(action: string, domain: Domain): void {
  const { rows, size } = domain ?? {};
  requireRows(action, "domain.rows", rows);
  if (
    !(Number.isInteger(size?.min) && Number.isInteger(size?.max) && size.min >= 0 &&
      size.max >= size.min)
  ) {
    throw new RangeError(
      `Cannot ${action}: domain.size must have whole numbers min and max, 0 ≤ min ≤ max: current value is ${
        JSON.stringify(size)
      }`,
    );
  }
}

/** Refuses what describes no rows. @throws {RangeError} naming the field and the rule. */
export function requireRows(action: string, name: string, spec: RowSpec): void {
  const refuse = (field: string, rule: string, value: unknown): never => {
    throw new RangeError(`Cannot ${action}: ${field} must ${rule}: current value is ${value}`);
  };
  const flags = spec?.type === "number" ? ["missing", "nan", "infinite"] : ["missing"];
  for (const flag of flags) {
    const value = (spec as object as Record<string, unknown> | undefined)?.[flag];
    if (value !== undefined && typeof value !== "boolean") {
      refuse(`${name}.${flag}`, "be true or false", value);
    }
  }
  switch (spec?.type) {
    case "number":
    case "integer":
      for (const end of ["min", "max"] as const) {
        if (!Number.isFinite(spec[end])) {
          refuse(`${name}.${end}`, "be a finite number", spec[end]);
        }
      }
      if (!(spec.min <= spec.max)) refuse(`${name}.max`, "be at least min", spec.max);
      break;
    case "category":
      if (!(Array.isArray(spec.values) && spec.values.length > 0)) {
        refuse(`${name}.values`, "be a list that is not empty", spec.values);
      }
      break;
    case "text":
      if (textLengths(spec.length) === undefined) {
        refuse(`${name}.length`, TEXT_LENGTH_RULE, JSON.stringify(spec.length));
      }
      if (
        spec.values !== undefined &&
        !(Array.isArray(spec.values) && spec.values.every((text) => isTextOf(spec.length, text)))
      ) {
        refuse(`${name}.values`, TEXT_VALUES_RULE, JSON.stringify(spec.values));
      }
      break;
    case "vector":
      if (!(Number.isInteger(spec.length) && spec.length >= 0)) {
        refuse(`${name}.length`, "be a whole number", spec.length);
      }
      requireRows(action, `${name}.of`, spec.of);
      if (spec.norm !== undefined && !mayHaveNorm(spec.of)) {
        refuse(`${name}.norm`, NORM_RULE, spec.norm);
      }
      break;
    case "record":
      if (typeof spec.fields !== "object" || spec.fields === null) {
        refuse(`${name}.fields`, "be an object", spec.fields);
      }
      for (const [field, of] of Object.entries(spec.fields)) {
        requireRows(action, `${name}.fields.${field}`, of);
      }
      break;
    default: {
      const type: unknown = spec?.type;
      if (!ROW_TYPES.includes(type as string)) {
        refuse(
          `${name}.type`,
          `be one of ${ROW_TYPES.join(", ")}`,
          `${type}${closestName(String(type), ROW_TYPES)}`,
        );
      }
    }
  }
}
