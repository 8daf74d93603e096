// What can go wrong with a call, as buttons.

import { told } from "../client";
import type { Call, ClientSetup, Fault } from "../dev-api";
import { announce, h, uniqueId } from "../parts";
import { isOver, type Session } from "../session";
import { problem } from "../ui";
import { FAULTS } from "./fault-words";

let isListOpen = false;

export class FaultBar {
  readonly element: HTMLElement;
  private readonly wrong = h("div");
  private readonly buttons = new Map<Fault, HTMLButtonElement>();
  private readonly now = h("div", { class: "faults" });

  constructor(
    private readonly session: Session,
    private readonly call: Call,
  ) {
    const offered = session.state.abilities.faults;
    const running = offered.filter((fault) => FAULTS[fault] && FAULTS[fault].when !== "again" && fault !== "cancel");
    const again = this.again(offered);
    if (!session.canCall) {
      this.element = h("div", { hidden: true });
      return;
    }
    this.now.append(...running.map((fault) => this.button(fault)));
    this.element = h(
      "div",
      { class: "fault-bar" },
      running.length > 0 && this.list(),
      again,
      this.wrong,
    );
    this.changed(call);
  }

  changed(call: Call): void {
    const list = this.now.closest("details");
    if (list) list.hidden = isOver(call);
    for (const [fault, button] of this.buttons) {
      if (FAULTS[fault].when === "next") button.setAttribute("aria-pressed", String(call.armed === fault));
      const state = button.querySelector(".armed");
      if (state) state.textContent = call.armed === fault ? "Armed" : "";
    }
  }

  /** Who breaks one call breaks the next one too: the list stays as it was. */
  private list(): HTMLElement {
    const details = h("details", { class: "fault-list", open: isListOpen }, h("summary", {}, "Faults: break this call"), this.now);
    details.addEventListener("toggle", () => (isListOpen = details.open));
    return details;
  }

  private button(fault: Fault): HTMLElement {
    const { name, does, when } = FAULTS[fault];
    const description = uniqueId("fault");
    const button = h(
      "button",
      { type: "button", class: "fault", "aria-describedby": description, onclick: () => void this.inject(fault) },
      h("span", {}, name),
      when === "next" && h("span", { class: "armed" }),
    );
    this.buttons.set(fault, button);
    return h("div", { class: "fault-entry" }, button, h("p", { id: description, class: "description" }, does));
  }

  private async inject(fault: Fault): Promise<void> {
    this.wrong.replaceChildren();
    try {
      await this.session.client.inject(this.call.id, fault);
      const { name, when } = FAULTS[fault];
      announce(when === "next" ? `Armed: ${name}.` : `${name}: done.`);
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }

  /** The same call by another client. */
  private again(offered: Fault[]): HTMLElement {
    const { revisions } = this.session.state;
    const { setup } = this.call;
    const others = revisions.filter((revision) => revision !== setup.revision);
    const select = h("select", { "aria-label": "Another revision" }, ...others.map((revision) => h("option", { value: revision }, revision)));
    const declared = setup.capabilities;
    const without = (name: "elicitation" | "sampling"): ClientSetup => ({ ...setup, capabilities: { ...declared, [name]: false } });
    const button = (label: string, onclick: () => void) => h("button", { type: "button", class: "small", onclick }, label);
    return h(
      "div",
      { class: "again", role: "group", "aria-label": "The same call again" },
      button("Call again", () => void this.begin(setup)),
      offered.includes("other_revision") && others.length > 0 && h("span", { class: "row" }, button("Again in", () => void this.begin({ ...setup, revision: select.value }, "other_revision")), select),
      offered.includes("without_elicitation") && declared.elicitation && button("Again without elicitation", () => void this.begin(without("elicitation"), "without_elicitation")),
      offered.includes("without_sampling") && declared.sampling && button("Again without sampling", () => void this.begin(without("sampling"), "without_sampling")),
    );
  }

  private async begin(setup: ClientSetup, fault?: Fault): Promise<void> {
    this.wrong.replaceChildren();
    try {
      this.session.begun(await this.session.client.start(this.call.request, setup, fault));
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }
}
