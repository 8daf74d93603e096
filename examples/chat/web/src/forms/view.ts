// A question that a view of its tool shows instead of a form.

import { announce } from "../announce";
import { h } from "../dom";
import type { Answer } from "../plugins/plugin-client";
import { HostedView, type ViewClient } from "../plugins/view-host";
import { type AnyRequest, draw, type FormPlace, keepFocus } from "./form";

/**
 * Asks with the view of the question. If it has none, if the view fails, or if its answer did not fit, asks with the form
 * of the page. The user can also choose that form.
 */
export async function viewOrForm<C>(
  place: FormPlace,
  request: AnyRequest,
  client: ViewClient,
  form: () => Promise<Answer<C>>,
): Promise<Answer<C>> {
  const uri = request.question.view;
  if (uri === undefined || request.rejected) return form();
  const answer = await askWithView<C>(place, request, client, uri);
  return answer ?? (request.signal.aborted ? { action: "cancel" } : form());
}

/** Returns undefined if the question must be asked in another way. */
async function askWithView<C>(
  place: FormPlace,
  { question, signal }: AnyRequest,
  client: ViewClient,
  uri: string,
): Promise<Answer<C> | undefined> {
  let view: HostedView | undefined;
  let isOver = false;
  let section: HTMLElement | undefined;
  const answer = await new Promise<Answer<C> | undefined>((resolve) => {
    const close = () => resolve({ action: "cancel" });
    const frame = h("div", { class: "view-place" });
    section = h(
      "section",
      { class: "form", "aria-label": question.message },
      frame,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => resolve(undefined) }, "Answer in a form"),
        h("button", { type: "button", class: "quiet", onclick: close }, "Close"),
      ),
    );
    const hadFocus = place.element.contains(document.activeElement);
    draw(place, section, null, signal, close);
    announce(`Question: ${question.message}`);
    signal.addEventListener("abort", close);
    const options = { client, uri, title: question.message, place: frame, isQuestion: true };
    HostedView.show(options)
      .then((shown) => {
        if (isOver) shown.remove();
        view = shown;
        if (hadFocus) shown.focus();
        return shown.ask(question);
      })
      .then((given) => resolve(given as Answer<C>), () => {
        if (isOver) return;
        announce("The view does not work. The question is asked in a form.");
        resolve(undefined);
      });
  });
  isOver = true;
  keepFocus(place);
  await view?.close();
  // The next question can already be in this place.
  section?.remove();
  return answer;
}
