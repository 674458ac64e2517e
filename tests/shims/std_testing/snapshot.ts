/**
 * `assertSnapshot` of `@std/testing/snapshot` for machines that cannot reach JSR, over the snapshot
 * assertion that Deno itself has.
 *
 * @module
 */

/** Compares `value` with the snapshot stored for this test; `deno test --update-snapshots` writes it. */
export async function assertSnapshot<T>(context: Deno.TestContext, value: T): Promise<void> {
  const own = context as unknown as { assertSnapshot(value: T): unknown };
  await own.assertSnapshot(value);
}
