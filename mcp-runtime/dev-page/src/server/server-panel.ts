// The build and the processes of the program.

import { told } from "../client";
import type { Build, Diagnostic, ServerStatus } from "../dev-api";
import { announce, h, uniqueId } from "../parts";
import type { Session } from "../session";
import { code, countdown, duration, facts, number, problem } from "../ui";

/** The most messages of the compiler in the document. */
const MOST = 50;

export const BUILD: Record<Build["status"], string> = {
  none: "Not built here",
  building: "Building…",
  built: "Built",
  failed: "The build has failed",
};
export const SERVER: Record<ServerStatus["status"], string> = {
  starting: "Starting…",
  running: "Running",
  stopped: "Stopped",
  crashed: "Crashed",
};

export class ServerPanel {
  private readonly build = h("section", { "aria-label": "Build" });
  private readonly server = h("section", { "aria-label": "Server" });
  private readonly controls = h("div", { class: "buttons" });
  private readonly wrong = h("div");
  private readonly output = h("pre", {
    class: "output",
    tabindex: 0,
    role: "group",
    "aria-label": "Output of the server",
  });
  readonly element: HTMLElement;
  private shown = "";

  constructor(private readonly session: Session) {
    this.drawControls();
    this.element = h(
      "div",
      { class: "server-panel" },
      this.build,
      this.server,
      this.controls,
      this.wrong,
      h("section", {}, h("h2", {}, "Output"), this.output),
    );
    session.listen({ state: () => this.draw() });
    this.draw();
  }

  private draw(): void {
    const { build, server, abilities, source } = this.session.state;
    this.build.hidden = build.status === "none";
    this.controls.hidden = !abilities.processes;
    // Only what has changed is drawn again, so that the reader stays where they are.
    const key = JSON.stringify([build, source]);
    if (key !== this.shown) this.build.replaceChildren(h("h2", {}, "Build"), this.buildOf(build));
    this.shown = key;
    this.server.replaceChildren(h("h2", {}, "Server"), this.serverOf(server));
    const isAtEnd = this.output.scrollTop + this.output.clientHeight >= this.output.scrollHeight - 30;
    this.output.textContent = server.output.slice(-1000).join("\n") || "No output yet.";
    if (isAtEnd) this.output.scrollTop = this.output.scrollHeight;
  }

  private buildOf(build: Build): HTMLElement {
    const { diagnostics } = build;
    return h(
      "div",
      {},
      facts([
        ["Status", BUILD[build.status] ?? build.status],
        ["Build", number(build.number)],
        ["Took", build.took === undefined ? undefined : duration(build.took)],
        ["Messages", diagnosticsIn(build)],
      ]),
      ...diagnostics.slice(0, MOST).map((diagnostic) => this.diagnostic(diagnostic)),
      diagnostics.length > MOST &&
        h("p", { class: "note" }, `${number(diagnostics.length - MOST)} more messages are in the terminal.`),
    );
  }

  private diagnostic({ level, message, rendered, file, line, column }: Diagnostic): HTMLElement {
    const heading = uniqueId("diagnostic");
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return h(
      "article",
      { class: `diagnostic ${level === "error" ? "bad" : ""}`, "aria-labelledby": heading },
      h("h3", { id: heading }, `${level}: ${message}`),
      place !== "" && h("p", {}, h("code", {}, place)),
      rendered !== "" && code(rendered, "As the compiler prints it"),
    );
  }

  private serverOf(server: ServerStatus): HTMLElement {
    return facts([
      ["Status", SERVER[server.status] ?? server.status],
      ["Why", server.reason],
      ["Starts again", server.retryAt === undefined ? undefined : countdown(server.retryAt, "now")],
      ["Processes started", number(server.starts)],
      ["Clock", server.clock === 0 ? "on time" : `${duration(server.clock * 1000)} ahead`],
    ]);
  }

  private drawControls(): void {
    const button = (label: string, run: () => Promise<unknown>, done: string) =>
      h("button", { type: "button", onclick: () => void this.run(run, done) }, label);
    const { client } = this.session;
    const clock = (seconds: number, label: string) =>
      button(`Clock forward by ${label}`, () => client.advanceClock(seconds), `The clock is ${label} further.`);
    this.controls.append(
      button("Restart the server", () => client.restart(), "The server restarts."),
      clock(60, "a minute"),
      clock(3600, "an hour"),
      clock(86_400, "a day"),
    );
  }

  private async run(run: () => Promise<unknown>, done: string): Promise<void> {
    this.wrong.replaceChildren();
    try {
      await run();
      announce(done);
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }
}

/** Returns `2 errors, 1 warning`. */
export function diagnosticsIn({ diagnostics }: Build): string {
  const count = (level: string) => diagnostics.filter((diagnostic) => diagnostic.level === level).length;
  const told = ["error", "warning", "note"]
    .map((level) => [count(level), level] as const)
    .filter(([count]) => count > 0);
  return told.map(([count, level]) => `${count} ${level}${count === 1 ? "" : "s"}`).join(", ") || "none";
}
