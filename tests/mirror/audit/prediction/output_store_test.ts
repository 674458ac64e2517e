import { assertEquals } from "@std/assert";
import { OutputStore } from "../../../../lib/audit/prediction/output_store.ts";

Deno.test("OutputStore is full after so many bytes of texts, however few they are", () => {
  const store = new OutputStore("quick"), text = "x".repeat(1 << 20);
  let stored = 0;
  for (; !store.isFull(1) && stored < 1000; stored++) {
    store.add({ kind: "values", values: [text] }, 0);
  }
  assertEquals(stored, 64);
  store.clear();
  assertEquals(store.isFull(1), false);
});
