// What the rules of `check` find, and what the tools cost in the context of a model.

import { told } from "../client";
import type { CheckReport } from "../dev-api";
import { announce, h } from "../parts";
import type { Session } from "../session";
import { number, problem, prose, table } from "../ui";

/** The most rows of a table. */
const MOST = 300;

export class CheckPanel {
  private readonly place = h("div");
  private readonly run = h("button", { type: "button", onclick: () => void this.check() }, "Check again");
  readonly element = h("div", { class: "check-panel" }, h("div", { class: "buttons" }, this.run), this.place);
  private wasShown = false;
  private checks = 0;

  constructor(private readonly session: Session) {
    session.listen({ items: () => this.wasShown && !this.element.hidden && void this.check() });
  }

  show(): void {
    if (!this.wasShown) void this.check();
    this.wasShown = true;
  }

  private async check(): Promise<void> {
    this.checks += 1;
    const check = this.checks;
    this.run.disabled = true;
    if (!this.place.hasChildNodes()) this.place.replaceChildren(h("p", { class: "note" }, "Checking…"));
    try {
      const report = await this.session.client.check();
      // The items have changed, and are checked again.
      if (check !== this.checks) return;
      this.place.replaceChildren(this.findings(report), this.tokens(report));
      announce(`${report.findings.length} findings.`);
    } catch (error) {
      if (check === this.checks) this.place.replaceChildren(problem(told(error)));
    } finally {
      if (check === this.checks) this.run.disabled = false;
    }
  }

  private findings({ findings }: CheckReport): HTMLElement {
    const order = ["error", "warning", "note"];
    const sorted = [...findings].sort((one, two) => order.indexOf(one.level) - order.indexOf(two.level));
    const rows = sorted
      .slice(0, MOST)
      .map(({ level, rule, item, message }) => [
        h("span", { class: `level-of ${level}` }, level),
        h("code", {}, rule),
        item ?? "",
        prose(message),
      ]);
    return h(
      "section",
      {},
      h("h2", {}, "Findings"),
      rows.length > 0
        ? table("Findings", ["Level", "Rule", "Item", "Finding"], rows)
        : h("p", {}, "The rules find nothing."),
      findings.length > MOST &&
        h("p", { class: "note" }, `${number(findings.length - MOST)} more findings are not shown.`),
    );
  }

  private tokens({ tokens }: CheckReport): HTMLElement {
    const tools = [...tokens.tools].sort((one, two) => two.tokens - one.tokens).slice(0, MOST);
    const most = Math.max(1, ...tools.map(({ tokens }) => tokens));
    const rows = tools.map(({ name, tokens: count }) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(100 * count) / most}%`;
      const share = tokens.total > 0 ? `${Math.round((100 * count) / tokens.total)} %` : "";
      return [h("code", {}, name), count, share, h("span", { class: "track", "aria-hidden": "true" }, bar)];
    });
    return h(
      "section",
      {},
      h("h2", {}, "Tokens"),
      h("p", {}, `The list of tools needs about ${number(tokens.total)} tokens of a model's context.`),
      rows.length > 0 && table("Tokens by tool", ["Tool", "Tokens", "Share", "In proportion"], rows),
    );
  }
}
