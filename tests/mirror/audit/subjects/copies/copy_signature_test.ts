import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type CopySignature,
  copySignature,
  KnownCopies,
} from "../../../../../lib/audit/subjects/copies/copy_signature.ts";
import { functionSubject } from "../../../../../lib/audit/subjects/function_subject.ts";
import { SubjectFailure } from "../../../../../lib/audit/subjects/subject.ts";
import { SeededSource } from "../../../../../lib/random/seeded_source.ts";

async function signatureOf(
  output: (source: SeededSource) => unknown,
  seed: number,
): Promise<CopySignature> {
  const source = new SeededSource(seed);
  const subject = functionSubject(() => output(source), { name: "f", source });
  return await copySignature(subject, [0]);
}

const coin = (source: SeededSource): number => source.uint32() & 1;

// Mutants: only the last hashes compared; the nats of one output.
Deno.test("copySignature() is as long as chance needs to agree with probability e⁻⁴⁰", async () => {
  const coins = (await signatureOf(coin, 1)).at(-1)!.outputs;
  assert(coins >= 58 && coins < 80, `${coins} coins`);
  const numbers = (await signatureOf((source) => source.uniform(), 1)).at(-1)!.outputs;
  assert(numbers >= 12 && numbers <= 20, `${numbers} numbers`);
  assertEquals((await signatureOf(() => "same", 1)).at(-1)!.outputs, 8192);
});

Deno.test("KnownCopies refuses a copy that draws what another one drew, and takes others", async () => {
  const copies = new KnownCopies("f");
  for (let seed = 1; seed <= 30; seed++) copies.add(`${seed}`, await signatureOf(coin, seed));
  assert(copies.has("7") && !copies.has("31"));
  assertThrows(
    () => copies.add("31", copiesOf7),
    SubjectFailure,
    "copies of f drew the same",
  );
  // A copy that is told of again is the same one.
  copies.add("7", copiesOf7);
  const constant = new KnownCopies("f");
  const same = await signatureOf(() => "same", 1);
  constant.add("1", same);
  assertThrows(() => constant.add("2", same), SubjectFailure, "hardly vary");
  // One that was drawn from for less long is compared as far as it goes.
  const short = copiesOf7.slice(0, 5);
  assertThrows(() => copies.add("32", short), SubjectFailure);
});

const copiesOf7 = await signatureOf(coin, 7);
