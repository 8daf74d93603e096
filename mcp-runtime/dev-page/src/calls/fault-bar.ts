// What can go wrong with a call, as buttons.

import { told } from "../client";
import type { Call, CallEvent, Fault } from "../dev-api";
import { announce, h, uniqueId } from "../parts";
import { isOver, isSession, type Session } from "../session";
import { problem } from "../ui";
import { FAULTS } from "./fault-words";
import { givenAnswers } from "./given-answers";

let isListOpen = false;

export class FaultBar {
  readonly element: HTMLElement;
  private readonly wrong = h("div");
  private readonly entries: { fault: Fault; button: HTMLButtonElement; element: HTMLElement }[];
  private readonly list: HTMLElement;
  private readonly answeredAgain = h(
    "button",
    { type: "button", class: "small", hidden: true, onclick: () => void this.beginAnswered() },
    "Again, with the same answers",
  );
  private isAnswered = false;

  constructor(
    private readonly session: Session,
    private call: Call,
  ) {
    const { faults } = session.state.abilities;
    this.entries = faults.filter((fault) => this.isPossible(fault)).map((fault) => this.entry(fault));
    this.list = this.folded(h("div", { class: "faults" }, ...this.entries.map(({ element }) => element)));
    this.element = h("div", { class: "fault-bar", hidden: !session.canCall }, this.list, this.again(), this.wrong);
    this.changed(call);
  }

  /** Shows what is armed, and what can still happen. */
  changed(call: Call): void {
    this.call = call;
    this.answeredAgain.hidden = !isOver(call) || !this.isAnswered;
    for (const { fault, button, element } of this.entries) {
      const { when } = FAULTS[fault];
      element.hidden = isOver(call) && when !== "again";
      if (when !== "next") continue;
      button.setAttribute("aria-pressed", String(call.armed === fault));
      button.querySelector(".armed")!.textContent = call.armed === fault ? "Armed" : "";
    }
    this.list.hidden = this.entries.every(({ element }) => element.hidden);
  }

  on(event: CallEvent): void {
    if (event.type !== "answered" || event.by === "script") return;
    this.isAnswered = true;
    this.changed(this.call);
  }

  /** Whether the fault can happen to this call. Its own button cancels it. */
  private isPossible(fault: Fault): boolean {
    const words = FAULTS[fault];
    const { capabilities } = this.call.setup;
    if (words === undefined || fault === "cancel") return false;
    if (words.needsState && isSession(this.call.setup)) return false;
    if (fault === "without_elicitation") return capabilities.elicitation;
    return fault !== "without_sampling" || capabilities.sampling;
  }

  /** Who breaks one call breaks the next one too: the list stays as it was. */
  private folded(content: HTMLElement): HTMLElement {
    const details = h(
      "details",
      { class: "fault-list", open: isListOpen },
      h("summary", {}, "Faults: break this call"),
      content,
    );
    details.addEventListener("toggle", () => (isListOpen = details.open));
    return details;
  }

  private entry(fault: Fault) {
    const { name, does, when } = FAULTS[fault];
    const description = uniqueId("fault");
    const button = h(
      "button",
      {
        type: "button",
        class: "fault-button",
        "aria-describedby": description,
        onclick: () => void this.inject(fault),
      },
      h("span", {}, name),
      when === "next" && h("span", { class: "armed" }),
    );
    return {
      fault,
      button,
      element: h("div", { class: "fault-entry" }, button, h("p", { id: description, class: "description" }, does)),
    };
  }

  /** A fault that is armed is taken back. */
  private inject(fault: Fault): Promise<void> {
    const { name, when } = FAULTS[fault];
    return this.run(async () => {
      if (this.call.armed === fault) {
        await this.session.client.disarm(this.call.id);
        return announce(`Not armed any more: ${name}.`);
      }
      await this.session.client.inject(this.call.id, fault);
      announce(when === "next" ? `Armed: ${name}. Press it again to take it back.` : `${name}: done.`);
    });
  }

  /** The same call by the same client, or in a revision of choice. */
  private again(): HTMLElement {
    const { setup } = this.call;
    const others = this.session.state.revisions.filter((revision) => revision !== setup.revision);
    const select = h(
      "select",
      { "aria-label": "Another revision" },
      ...others.map((revision) => h("option", { value: revision }, revision)),
    );
    const button = (label: string, onclick: () => void) =>
      h("button", { type: "button", class: "small", onclick }, label);
    return h(
      "div",
      { class: "again", role: "group", "aria-label": "The same call again" },
      button("Call again", () => void this.begin(setup.revision)),
      this.answeredAgain,
      others.length > 0 &&
        h(
          "span",
          { class: "row" },
          button("Again in", () => void this.begin(select.value)),
          select,
        ),
    );
  }

  private begin(revision: string): Promise<void> {
    return this.run(async () => {
      const { request, setup } = this.call;
      this.session.begun(await this.session.client.start(request, { ...setup, revision }));
    });
  }

  /** The page does not keep the answers, so it reads them. */
  private beginAnswered(): Promise<void> {
    return this.run(async () => {
      const { client } = this.session;
      const answers = givenAnswers(await client.call(this.call.id));
      this.session.begun(await client.start(this.call.request, this.call.setup, { answers }));
      announce("The call begins again, with the same answers.");
    });
  }

  private async run(work: () => Promise<void>): Promise<void> {
    this.wrong.replaceChildren();
    try {
      await work();
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }
}
