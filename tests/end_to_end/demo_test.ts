import { assertEquals, assertMatch } from "@std/assert";
import { longTest } from "../long.ts";

longTest("deno task demo shows a verdict and a counterexample for each audit", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: new URL("../../", import.meta.url),
    stdin: "null",
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 0, text + new TextDecoder().decode(stderr));
  const [, correct, broken, program, yours] = text.split("━━━");
  assertMatch(correct!, /^NOT REFUTED {2}laplace[^]*A violation above ε = [\d.]+ on this pair/m);
  for (const scene of [broken!, program!]) {
    assertMatch(
      scene,
      /^REFUTED [^]*^Counterexample\n {2}left {3}\[.*\n {2}right {2}\[.*\n {2}event /m,
    );
  }
  assertMatch(program!, /^\$ deno task dpcheck audit --exec /m);
  assertMatch(yours!, /^\$ deno task dpcheck audit --exec /m);
});
