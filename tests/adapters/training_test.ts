import { assertStringIncludes } from "@std/assert";
import { testsWith } from "../has_program.ts";
import { root } from "./served.ts";

const withPython = await testsWith(["python3", "--version"], "canaries of training in Python");

const PROGRAM = `
import os, random
from dpcheck import audit_training

class Scalar:
    """What is needed of a tensor of torch or an array of JAX without dimensions."""
    def __init__(self, value):
        self.value = value
    def __neg__(self):
        return Scalar(-self.value)
    def __float__(self):
        return float(self.value)

canaries = list(range(150))
remember = lambda extra: set(extra)
try:
    audit_training(remember, canaries, lambda model, each: -Scalar(each not in model), epsilon=1, delta=1e-5)
except AssertionError as error:
    print("raised", str(error).split()[0])
print(audit_training(remember, canaries, lambda model, each: random.random(), epsilon=1, delta=1e-5))
try:
    audit_training(remember, canaries, lambda model, each: float("nan"), epsilon=1)
except RuntimeError as error:
    print("failed", error)
try:
    audit_training(remember, canaries, lambda model, each: 0, epsilon=-1)
except RuntimeError as error:
    print("failed", error)
os.environ["DPCHECK"] = "sh -c 'echo npm error code E404; exit 1'"
try:
    audit_training(remember, canaries, lambda model, each: 0, epsilon=1)
except RuntimeError as error:
    print("not run:", error)
`;

// Mutants: canaries that are all in; scores without their canary; a refutation that is taken for a failure.
withPython(
  "audit_training() of Python refutes a model that remembers, and not one that does not",
  async () => {
    const { stdout, stderr } = await new Deno.Command("python3", {
      args: ["-c", PROGRAM],
      env: {
        PYTHONPATH: `${root}adapters/python`,
        DPCHECK: `deno run -A --no-check --config ${root}deno.json ${root}cli/main.ts`,
      },
    }).output();
    const text = new TextDecoder().decode(stdout);
    assertStringIncludes(text, "raised REFUTED", new TextDecoder().decode(stderr));
    assertStringIncludes(text, "NOT REFUTED (1, 0.00001)-DP");
    assertStringIncludes(text, "failed audit_training: score must be a number");
    assertStringIncludes(text, "--epsilon");
    // A runner of packages that finds no dpcheck ends with the status of a refutation.
    assertStringIncludes(text, "not run: npm error");
  },
);
