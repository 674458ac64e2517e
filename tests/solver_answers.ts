import { certificateToSmt } from "../lib/judge/exact/smt/certificate_to_smt.ts";
import { hasProgram } from "./has_program.ts";

/** Solvers that read SMT-LIB 2 from standard input, as far as they are here. */
const SOLVERS: readonly (readonly [string, ...string[]])[] = [
  ["z3", "-in"],
  ["cvc5", "--incremental", "--lang", "smt2"],
];

const here = await Promise.all(
  SOLVERS.map(async ([program]) =>
    await hasProgram([program, "--version"], "certificates, by an independent solver")
  ),
);

/** The names of the solvers that are here. */
export const solvers: readonly string[] = SOLVERS.filter((_, i) => here[i]).map(([program]) =>
  program
);

/**
 * What each solver that is here answers to the questions of a certificate: `unsat` alone where the proof holds.
 *
 * @param changed a claim in place of the certificate's, as one with a lower ε.
 */
export async function solverAnswers(
  certificate: string,
  changed: Record<string, unknown> = {},
): Promise<{ readonly solver: string; readonly answers: ReadonlySet<string> }[]> {
  const { claim, ...rest } = JSON.parse(certificate);
  const questions = certificateToSmt(JSON.stringify({ ...rest, claim: { ...claim, ...changed } }));
  const asked = questions.split("\n").filter((line) => line === "(check-sat)").length;
  return await Promise.all(
    SOLVERS.filter(([program]) => solvers.includes(program)).map(async ([solver, ...args]) => {
      const child = new Deno.Command(solver, { args, stdin: "piped", stdout: "piped" }).spawn();
      const writer = child.stdin.getWriter();
      const written = writer.write(new TextEncoder().encode(questions)).then(() => writer.close());
      const { stdout } = await child.output();
      await written;
      const answers = new TextDecoder().decode(stdout).trim().split("\n");
      if (answers.length !== asked) {
        throw new Error(`${solver} gave ${answers.length} of ${asked} answers`);
      }
      return { solver, answers: new Set(answers) };
    }),
  );
}
