// The roots of the client, which a server asks for.

import type { AnyAnswer } from "../dev-api";
import { announce, draw, type FormPlace, h, questionForm, uniqueId } from "../parts";

export function rootsForm(place: FormPlace, signal: AbortSignal): Promise<AnyAnswer> {
  return new Promise((resolve) => {
    const text = h("textarea", {
      id: uniqueId("roots"),
      rows: 3,
      spellcheck: "false",
      placeholder: "file:///home/me/project",
    });
    const submit = () => {
      const uris = text.value.split("\n").map((line) => line.trim());
      resolve({ action: "roots", roots: uris.filter((uri) => uri !== "").map((uri) => ({ uri })) });
    };
    const form = questionForm(
      "The server asks for the roots of the client",
      submit,
      h("div", { class: "field" }, h("label", { for: text.id }, "Roots, one URI on each line"), text),
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Send the roots")),
    );
    draw(place, form, text, signal, () => {});
    announce("Question: the server asks for the roots of the client.");
  });
}
