import type { Subject } from "../../kernel/subject.ts";
import type { Program } from "./program.ts";

/** A program as a subject. */
export function programSubject(
  program: Program,
  { name, independent }: { readonly name: string; readonly independent: boolean },
): Subject {
  return {
    name,
    drawsElsewhere: true,
    asksAhead: true,
    ...(independent ? { independent } : {}),
    firstAnswerAt: () => program.firstAnswerAt,
    draw: (data, count) => program.draw(data, count),
    drawInOrder: (pair, coins) => program.drawInOrder(pair, coins),
    close: () => program.close(),
  };
}
