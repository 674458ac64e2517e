import type { Subject } from "../subject.ts";

/** Returns the subject, drawn from in another way. Everything else that it declares stays. */
export function changedDraws(
  subject: Subject,
  draws:
    & Pick<Subject, "draw">
    & Partial<Pick<Subject, "name" | "drawInOrder" | "independent" | "asksAhead">>,
): Subject {
  const { name, claim, drawsElsewhere, domain, independent, asksAhead, usualDraws } = subject;
  return {
    name,
    ...(claim === undefined ? {} : { claim }),
    ...(drawsElsewhere === undefined ? {} : { drawsElsewhere }),
    ...(domain === undefined ? {} : { domain }),
    ...(independent === undefined ? {} : { independent }),
    ...(asksAhead === undefined ? {} : { asksAhead }),
    ...(usualDraws === undefined ? {} : { usualDraws }),
    ...(subject.firstAnswerAt === undefined
      ? {}
      : { firstAnswerAt: () => subject.firstAnswerAt!() }),
    close: () => subject.close(),
    ...draws,
  };
}
