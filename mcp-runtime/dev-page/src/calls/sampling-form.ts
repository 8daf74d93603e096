// A request to the client's model, answered by hand or by the model of the environment.

import type { AnyAnswer, OpenQuestion } from "../dev-api";
import { JsonField } from "../input/json";
import { isObject, textOf } from "../input/shape";
import { announce, draw, type FormPlace, h, questionForm, uniqueId } from "../parts";
import { code, disclosure, facts, pretty } from "../ui";

type SamplingQuestion = Extract<OpenQuestion, { kind: "sampling" }>;

/** A longer conversation shows its end. */
const MOST_MESSAGES = 50;

export function samplingForm(
  place: FormPlace,
  question: SamplingQuestion,
  model: string | null,
  signal: AbortSignal,
): Promise<AnyAnswer> {
  return new Promise((resolve) => {
    const params = isObject(question.params) ? question.params : {};
    const text = h("textarea", { id: uniqueId("reply"), rows: 4 });
    const wrong = h("p", { class: "problem", id: uniqueId("problem") });
    text.setAttribute("aria-describedby", wrong.id);
    const byText = h("div", { class: "field" }, h("label", { for: text.id }, "Reply of the model"), text, wrong);
    const json = new JsonField(
      "Result as JSON",
      "The whole result of `sampling/createMessage`. It is sent as it is.",
      example(),
      8,
    );
    json.element.hidden = true;
    const mode = h("button", { type: "button", class: "quiet", onclick: () => toggle() }, "Reply in JSON");
    const toggle = () => {
      json.element.hidden = !json.element.hidden;
      byText.hidden = !json.element.hidden;
      mode.textContent = byText.hidden ? "Reply in text" : "Reply in JSON";
    };
    const submit = () => {
      if (!byText.hidden) {
        wrong.textContent = text.value === "" ? "Write a reply." : "";
        if (text.value === "") return text.focus();
        return resolve({ action: "reply", text: text.value });
      }
      const result = json.read();
      if (!json.check(true)) return json.focus();
      resolve({ action: "reply", result: result as Record<string, unknown> });
    };
    const form = questionForm(
      "The server asks the model",
      submit,
      conversation(params),
      facts([
        ["Most tokens", params.maxTokens === undefined ? undefined : String(params.maxTokens)],
        ["Temperature", params.temperature === undefined ? undefined : String(params.temperature)],
        [
          "Tools",
          Array.isArray(params.tools)
            ? params.tools.map((tool) => (isObject(tool) ? String(tool.name) : "")).join(", ")
            : undefined,
        ],
      ]),
      disclosure("The whole request", () => code(pretty(params), "Request to the model")),
      byText,
      json.element,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "primary" }, "Send the reply"),
        model !== null &&
          h("button", { type: "button", onclick: () => resolve({ action: "model" }) }, `Let ${model} reply`),
        mode,
      ),
    );
    draw(place, form, text, signal, () => {});
    announce("Question: the server asks the model.");
  });
}

function conversation(params: Record<string, unknown>): HTMLElement {
  const messages = Array.isArray(params.messages) ? params.messages : [];
  const system = textOf(params.systemPrompt);
  const row = (role: string, text: string) =>
    h(
      "li",
      { class: `turn ${role === "user" ? "user-turn" : ""}` },
      h("span", { class: "label" }, role),
      h("div", { class: "said" }, text),
    );
  return h(
    "ol",
    { class: "turns", tabindex: 0, "aria-label": "Messages to the model" },
    system !== undefined && row("system", system),
    ...messages
      .slice(-MOST_MESSAGES)
      .map((message) =>
        row(isObject(message) ? String(message.role) : "?", contentOf(isObject(message) ? message.content : undefined)),
      ),
  );
}

function contentOf(content: unknown): string {
  return [content]
    .flat()
    .map((block) =>
      isObject(block) ? (textOf(block.text) ?? `[${String(block.type)}] ${JSON.stringify(block).slice(0, 500)}`) : "",
    )
    .join("\n");
}

function example(): unknown {
  return { role: "assistant", content: { type: "text", text: "" }, model: "by hand", stopReason: "endTurn" };
}
