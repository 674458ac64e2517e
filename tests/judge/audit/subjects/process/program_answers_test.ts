import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseAnswer } from "../../../../../lib/judge/audit/subjects/process/program_answers.ts";
import { Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";

const encoder = new TextEncoder();

function answer(text: string, count = 3): ReturnType<typeof parseAnswer> {
  return parseAnswer(encoder.encode(text), { id: 1, count });
}

// Mutants: errors dropped, which leaves null; at the place before.
Deno.test("parseAnswer() puts the errors of an answer at their places", () => {
  assertEquals(answer('{"id":1,"outputs":[null,2,null],"errors":{"2":"no","0":{"code":7}}}'), {
    kind: "outputs",
    outputs: [new Thrown('{"code":7}'), 2, new Thrown("no")],
  });
  for (const errors of ["{}", "null"]) {
    const outputs = [null, 2, 3];
    assertEquals(answer(`{"id":1,"outputs":[null,2,3],"errors":${errors}}`), {
      kind: "outputs",
      outputs,
    });
  }
  // An output may be a record with a field of that name.
  assertEquals(answer('{"id":1,"outputs":[{"error":"no"}]}', 1), {
    kind: "outputs",
    outputs: [{ error: "no" }],
  });
});

Deno.test("parseAnswer() refuses errors that have no place, or the place of an output", () => {
  const wrong = [
    ['{"id":1,"outputs":[1,2,3],"errors":{"0":"no"}}', "an output and an error at the place 0"],
    ['{"id":1,"outputs":[1,2,null],"errors":{"3":"no"}}', "places of 3 outputs are 0 to 2"],
    ['{"id":1,"outputs":[1,null,3],"errors":{"01":"no"}}', 'at the place "01"'],
    ['{"id":1,"outputs":[null,2,3],"errors":["no"]}', "errors that are not an object"],
  ] as const;
  for (const [text, reason] of wrong) {
    const refused = answer(text);
    assert(refused.kind === "nonsense", text);
    assertStringIncludes(refused.reason, reason);
  }
});

// `p\xff` and `q\xff` were equal texts, and so were their outputs. Mutant: a decoder that is not fatal.
Deno.test("parseAnswer() refuses bytes that are not UTF-8, and keeps lone surrogates apart", () => {
  const [before, after] = ['{"id":1,"outputs":["', '"]}'].map((text) => encoder.encode(text));
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
    const refused = parseAnswer(Uint8Array.of(...before!, ...bytes, ...after!), {
      id: 1,
      count: 1,
    });
    assert(refused.kind === "nonsense", `${bytes}`);
    assertStringIncludes(refused.reason, "bytes that are not UTF-8");
  }
  const texts = ["\\ud800", "\\ud801", "\\udc00"].map((escaped) => {
    const read = answer(`{"id":1,"outputs":["${escaped}"]}`, 1);
    assert(read.kind === "outputs");
    return read.outputs[0];
  });
  assertEquals(new Set(texts).size, 3);
});
