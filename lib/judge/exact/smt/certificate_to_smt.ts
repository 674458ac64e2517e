import { type AlignmentCertificateJson, alignmentToSmt } from "./alignment_to_smt.ts";
import { type EnumerationCertificateJson, enumerationToSmt } from "./enumeration_to_smt.ts";

/**
 * Returns a certificate of `dpcheck exact` as questions in SMT-LIB 2, each of which a solver must answer with `unsat`.
 *
 * @param certificate the text that `alignmentCertificate` or `certificateOf` writes.
 * @throws {RangeError} for a text of another kind.
 */
export function certificateToSmt(certificate: string): string {
  const read = JSON.parse(certificate) as { readonly dpcheck?: unknown };
  switch (read.dpcheck) {
    case "alignment certificate 2":
      return alignmentToSmt(read as unknown as AlignmentCertificateJson);
    case "certificate 2":
      return enumerationToSmt(read as unknown as EnumerationCertificateJson);
    default:
      throw new RangeError(
        `Cannot write a certificate in SMT-LIB: dpcheck must name a kind of certificate: current value is ${
          JSON.stringify(read.dpcheck)
        }`,
      );
  }
}
