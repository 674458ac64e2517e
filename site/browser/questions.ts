import { type Answers, type Neighbours, neighboursOf } from "./neighbours_of.ts";

/** The five questions of a form, as they are answered. */
export interface Questions {
  /** Returns the neighbours that the answers lead to. @throws {RangeError} naming the answer that makes no sense. */
  neighbours(): Neighbours;
  /** Gives answers. */
  answer(answers: Partial<Answers>): void;
}

/** The five questions below an element: shows those that the others call for. */
export function questionsOf(form: Element): Questions {
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")];
  const answers = (): Answers =>
    Object.fromEntries(fields.map(({ id, value }) => [id, value])) as Answers;
  const show = (selector: string, isShown: boolean): void => {
    for (const part of form.querySelectorAll<HTMLElement>(selector)) part.hidden = !isShown;
  };
  const follow = (): void => {
    const { given, kind, count } = answers();
    show(".of-rows", given === "rows");
    show(".of-answers", given === "answers");
    show(".of-numbers", ["number", "integer", "vector"].includes(kind));
    show(".of-names", kind === "category");
    show(".of-vectors", kind === "vector");
    show(".of-fixed", count === "fixed");
  };
  form.addEventListener("input", follow);
  follow();
  return {
    neighbours: () => neighboursOf(answers()),
    answer(given): void {
      for (const field of fields) {
        const value = given[field.id as keyof Answers];
        if (value !== undefined) field.value = value;
      }
      follow();
    },
  };
}
