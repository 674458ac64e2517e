import { requireKind } from "../../core/numeric/require.ts";

/** Throws unless `report` is a record with the records in it that every report of its kind has, for callers without types. */
export function requireReport(
  name: string,
  report: unknown,
  parts: readonly string[] = ["claim", "versions"],
): void {
  requireKind(name, "report", report, "record");
  for (const part of parts) {
    const value = (report as Readonly<Record<string, unknown>>)[part];
    requireKind(name, `${part} of report`, value, "record");
  }
}
