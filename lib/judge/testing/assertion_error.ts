/** Thrown by the assertions of this module. Test runners know it by its name. */
export class AssertionError extends Error {
  /** Always `"AssertionError"`. */
  override readonly name = "AssertionError";
  /** The report that was found wanting, with the witness. */
  readonly report: unknown;

  /** An error with a message for the reader and the report behind it. */
  constructor(message: string, { report }: { readonly report: unknown }) {
    super(message);
    this.report = report;
  }
}
