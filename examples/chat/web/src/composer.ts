// The field for the next message.

import { announce } from "./announce";
import { h, icon, uniqueId } from "./dom";

export interface ComposerActions {
  send(text: string): Promise<void>;
  stop(): Promise<void>;
}

export class Composer {
  private readonly text = h("textarea", {
    id: uniqueId("message"),
    rows: 1,
    placeholder: "Write a message",
    oninput: () => this.grow(),
    onkeydown: (event: KeyboardEvent) => {
      // During the composition of a character, the key belongs to the input method.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      void this.submit();
    },
  });
  private readonly send = h("button", { type: "submit", class: "primary round", "aria-label": "Send" }, icon("send"));
  private readonly stop = h(
    "button",
    { type: "button", class: "round", "aria-label": "Stop the assistant", hidden: true, onclick: () => void this.actions.stop() },
    icon("stop"),
  );
  private readonly problem = h("p", { class: "problem", role: "alert" });
  readonly element = h(
    "form",
    {
      class: "composer",
      "aria-label": "Next message",
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void this.submit();
      },
    },
    h("label", { class: "visually-hidden", for: this.text.id }, "Message"),
    this.problem,
    h("div", { class: "box" }, this.text, this.stop, this.send),
  );

  constructor(private readonly actions: ComposerActions) {}

  setBusy(isBusy: boolean): void {
    this.stop.hidden = !isBusy;
    this.send.hidden = isBusy;
  }

  focus(): void {
    this.text.focus();
  }

  /** Writes a text that the user can change and send. */
  propose(text: string): void {
    this.text.value = text;
    this.grow();
    this.focus();
    announce("A view proposes a message.");
  }

  async submit(text = this.text.value.trim()): Promise<void> {
    if (text === "") return;
    this.problem.textContent = "";
    // Cleared before the reply, which must not clear what the user writes meanwhile.
    const typed = this.text.value;
    this.text.value = "";
    this.grow();
    try {
      await this.actions.send(text);
    } catch (error) {
      // The user need not write a refused message again.
      this.text.value = [typed, this.text.value].filter(Boolean).join("\n");
      this.grow();
      this.problem.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private grow(): void {
    this.text.rows = Math.min(this.text.value.split("\n").length, 8);
  }
}
