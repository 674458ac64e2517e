import type { Subject } from "../subject.ts";

/** The subject with other ways to draw, and all that it says of itself. */
export function changedDraws(
  subject: Subject,
  draws:
    & Pick<Subject, "draw">
    & Partial<Pick<Subject, "name" | "drawInOrder" | "independent" | "asksAhead">>,
): Subject {
  const { name, claim, drawsElsewhere, domain, independent, asksAhead } = subject;
  return {
    name,
    ...(claim === undefined ? {} : { claim }),
    ...(drawsElsewhere === undefined ? {} : { drawsElsewhere }),
    ...(domain === undefined ? {} : { domain }),
    ...(independent === undefined ? {} : { independent }),
    ...(asksAhead === undefined ? {} : { asksAhead }),
    ...(subject.firstAnswerAt === undefined
      ? {}
      : { firstAnswerAt: () => subject.firstAnswerAt!() }),
    close: () => subject.close(),
    ...draws,
  };
}
