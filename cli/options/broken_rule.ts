import type { z } from "zod";

/** The rule that a value breaks, in our words: those of the library that checks name its own notions. */
export function brokenRule(issue: z.core.$ZodIssue): string {
  const isCounted = (origin: string): boolean => ["array", "string", "set"].includes(origin);
  switch (issue.code) {
    case "invalid_type":
      return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
    case "too_small":
      return isCounted(issue.origin)
        ? `must have ${issue.minimum} or more ${
          issue.origin === "array" ? "entries" : "characters"
        }`
        : `must be ${issue.inclusive === false ? "above" : "at least"} ${issue.minimum}`;
    case "too_big":
      return isCounted(issue.origin)
        ? `must have ${issue.maximum} or fewer ${
          issue.origin === "array" ? "entries" : "characters"
        }`
        : `must be ${issue.inclusive === false ? "below" : "at most"} ${issue.maximum}`;
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "custom":
      return issue.message;
    default:
      return "must be as docs/dpcheck.schema.json says";
  }
}
