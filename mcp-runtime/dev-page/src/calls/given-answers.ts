// The answers that a call was given, as those that are prepared for the same call again.

import type { AnyAnswer, Call, OpenQuestion, PreparedAnswer } from "../dev-api";
import { isSession } from "../session";

/** Returns the answers in the order of their questions: without those of a fault, and without those that were refused. */
export function givenAnswers({ events = [], setup }: Call): PreparedAnswer[] {
  const questions = new Map<number, OpenQuestion>();
  const given = new Map<number, AnyAnswer>();
  for (const event of events) {
    if (event.type === "asked") {
      const { question } = event;
      for (const seq of [...given.keys()]) if (isAgain(question, questions.get(seq))) given.delete(seq);
      questions.set(question.seq, question);
    }
    if (event.type === "answered" && event.by !== "script") given.set(event.seq, event.answer);
  }
  const answers = [...given].sort(([one], [other]) => one - other);
  return answers.map(([seq, answer]) => {
    const question = questions.get(seq);
    // The questions of a session have no keys.
    const key = isSession(setup) ? undefined : question?.key;
    return { ...(question && { kind: question.kind }), ...(key !== undefined && { key }), ...answer };
  });
}

/** Whether a question is asked again, because its answer was refused or the code has changed. */
function isAgain(question: OpenQuestion, before: OpenQuestion | undefined): boolean {
  if (before === undefined) return false;
  if (question.key === before.key) return true;
  // In a session each question has its own key. The reason of a refusal follows the message, or stands beside it.
  if (question.kind !== "form" || before.kind !== "form") return false;
  const isSameForm = JSON.stringify(question.schema) === JSON.stringify(before.schema);
  return isSameForm && (question.rejected !== undefined || question.message.startsWith(`${before.message}\n\n`));
}
