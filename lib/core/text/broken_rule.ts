/** An error of a library that checks JSON against a schema: the fields that are read here. */
interface SchemaIssue {
  readonly code?: string | undefined;
  readonly message: string;
  readonly expected?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean | undefined;
  readonly values?: readonly unknown[];
  readonly options?: readonly unknown[];
  readonly keys?: readonly string[];
}

/** The rule that a value breaks, in our words: those of the library that checks name its own notions. */
export function brokenRule(issue: SchemaIssue): string {
  const counted = issue.origin === "array"
    ? "entries"
    : ["string", "set"].includes(issue.origin ?? "")
    ? "characters"
    : undefined;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected!] ?? `a ${issue.expected}`}`;
    case "too_small":
      return counted === undefined
        ? `must be ${issue.inclusive === false ? "above" : "at least"} ${issue.minimum}`
        : `must have ${issue.minimum} or more ${counted}`;
    case "too_big":
      return counted === undefined
        ? `must be ${issue.inclusive === false ? "below" : "at most"} ${issue.maximum}`
        : `must have ${issue.maximum} or fewer ${counted}`;
    case "invalid_value":
      return `must be ${issue.values!.map(String).join(" or ")}`;
    case "unrecognized_keys":
      return `must not have the key ${issue.keys![0]}`;
    case "custom":
      return issue.message;
    default:
      return issue.options === undefined
        ? "must be as the documentation says"
        : `must be ${issue.options.map(String).join(" or ")}`;
  }
}

/** Types of values by the names that the library has for them. */
const TYPES: Readonly<Record<string, string>> = {
  array: "an array",
  int: "a whole number",
  object: "an object",
  record: "an object",
  boolean: "true or false",
};
