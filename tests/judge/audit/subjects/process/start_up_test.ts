import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../../../lib/judge/audit/audit.ts";
import { besideRows } from "../../../../../lib/judge/audit/subjects/beside_rows.ts";
import { exceptOutputs } from "../../../../../lib/judge/audit/subjects/excepted_outputs.ts";
import { processSubject } from "../../../../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../../../../lib/judge/audit/subjects/process/split_command.ts";
import { pure } from "../../../../../lib/core/mod.ts";
import { addRemoveOne, pairOf } from "../../../../../lib/core/relations/relation.ts";

/** Starts in a second, and gives outputs that do not depend on the data. */
const SLOW = `setTimeout(async () => {
  console.log('{"dpcheck":1,"order":true}');
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\\n");
    rest = lines.pop();
    for (const { id, order } of lines.map((line) => JSON.parse(line))) {
      console.log(JSON.stringify({ id, outputs: order.map(() => crypto.getRandomValues(new Uint32Array(1))[0]) }));
    }
  }
}, 1000)`;

// Two copies beside rows with an exception. Mutants: any of these wrappers without the clock; a clock that runs during the start.
Deno.test("An audit of half a second draws for half a second from a program that takes one to start", async () => {
  const program = processSubject(`${Deno.execPath()} eval ${quoteWord(SLOW)}`, { workers: 2 });
  const subject = exceptOutputs(besideRows(program, [1]), (output) => output === 2);
  try {
    assertEquals(subject.firstAnswerAt?.(), undefined);
    const report = await audit(subject, {
      claim: pure({ epsilon: 1, relation: addRemoveOne }),
      pair: pairOf(addRemoveOne, { left: [], right: [1] }),
      maxSeconds: 0.5,
      seed: 1,
    });
    // A clock that runs during the start leaves no time for any.
    assert(report.draws > 0, `${report.draws}`);
    assert(report.seconds < 1, `${report.seconds}`);
  } finally {
    await program.close();
  }
});
