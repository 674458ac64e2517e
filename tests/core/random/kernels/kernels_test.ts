import { assert, assertEquals, assertThrows, fail } from "@std/assert";
import {
  kernels,
  takeBytes,
  withBytesBack,
  withoutKernels,
} from "../../../../lib/core/random/kernels/kernels.ts";
import { TableSlots } from "../../../../lib/core/random/kernels/table_slots.ts";

Deno.test("kernels() gives one set to a thread, and none inside withoutKernels()", () => {
  const own = kernels();
  assert(own !== undefined && kernels() === own);
  withoutKernels(() => {
    assertEquals(kernels(), undefined);
    withoutKernels(() => {});
    assertEquals(kernels(), undefined);
  });
  const failing = (): never => {
    throw new Error("failed");
  };
  assertThrows(() => withoutKernels(failing));
  assert(kernels() === own);
});

Deno.test("TableSlots write the tables of an owner once, and again when others took their place", () => {
  const own = kernels()!, written: number[] = [];
  const slots = new TableSlots<{ value: number }>({
    bytes: 8,
    slots: 2,
    write: ({ value }, memory, address) => {
      written.push(value);
      new Float64Array(memory, address, 1)[0] = value;
    },
  });
  const [a, b, c] = [{ value: 1 }, { value: 2 }, { value: 3 }];
  for (const owner of [a, a, b, a, c, b, a, a]) {
    const address = slots.addressOf(owner, own)!;
    assertEquals(new Float64Array(own.memory, address, 1)[0], owner.value);
  }
  assertEquals(written, [1, 2, 3, 1]);
});

// Mutant: bytes that are not taken back, also where the body throws.
Deno.test("takeBytes() gives no byte twice, and none that the memory does not have, until withBytesBack() ends", () => {
  const own = kernels()!;
  const first = withBytesBack(() => {
    const start = takeBytes(own, 1)!;
    let before = start, taken = 0;
    for (;; taken++) {
      const address = takeBytes(own, 100_000);
      if (address === undefined) break;
      assertEquals(address - before, taken === 0 ? 64 : 100_032);
      before = address;
    }
    assert(taken > 10 && before + 100_000 <= own.memory.byteLength);
    assert(takeBytes(own, 64) !== undefined);
    const none = new TableSlots<object>({ bytes: 1e6, slots: 2, write: () => {} });
    assertEquals(none.addressOf({}, own), undefined);
    return start;
  });
  assertThrows(() => withBytesBack(() => fail(`${takeBytes(own, 1000)}`)));
  assertEquals(withBytesBack(() => takeBytes(own, 1)), first);
});
