import { assertEquals } from "@std/assert";
import { allFaults } from "./faults/all_faults.ts";

// Apart from fault_injection_test.ts, which takes minutes: this finds at once that a source was moved or reworded.
Deno.test("every fault changes a text that its source holds once", () => {
  const elsewhere = allFaults.filter(({ file, from, to }) => {
    const source = Deno.readTextFileSync(new URL(`../../lib/${file}`, import.meta.url));
    return source.split(from).length !== 2 || from === to;
  });
  assertEquals(elsewhere.map(({ file, from }) => `${file}: ${from}`), []);
});
