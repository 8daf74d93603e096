// The top of the page: the program, its build and its server, and what concerns the whole session.

import { told } from "./client";
import type { DevState } from "./dev-api";
import { announce, h } from "./parts";
import { BUILD, diagnosticsIn, SERVER } from "./server/server-panel";
import type { Session } from "./session";

export class TopBar {
  private readonly build = h("a", { class: "chip", href: "#server" });
  private readonly server = h("a", { class: "chip", href: "#server" });
  private readonly source = h("span", { class: "source" });
  private readonly save = h(
    "button",
    { type: "button", class: "small", onclick: () => void this.download() },
    "Save a recording",
  );
  readonly element: HTMLElement;
  private readonly lost = h(
    "div",
    { class: "banner", role: "status", hidden: true },
    "The connection is lost. Trying again…",
  );
  private readonly failed = h("div", { class: "banner bad", hidden: true });

  constructor(private readonly session: Session) {
    const top = h(
      "div",
      { class: "top" },
      h("h1", {}, session.state.program),
      this.source,
      this.build,
      this.server,
      this.save,
    );
    this.element = h("header", {}, top, this.lost, this.failed);
    session.listen({
      state: (state, before) => this.changed(state, before),
      connection: (connected) => this.connection(connected),
      refused: (problem) => this.refused(problem),
    });
    this.changed(session.state, undefined);
  }

  private changed(state: DevState, before: DevState | undefined): void {
    const { source, build, server } = state;
    const names = {
      program: "",
      url: source.kind === "url" ? `at ${source.url}` : "",
      recording: source.kind === "recording" ? `recorded in ${source.file}` : "",
    };
    this.source.textContent = names[source.kind];
    this.save.hidden = source.kind === "recording";
    this.build.hidden = build.status === "none";
    this.build.textContent =
      build.status === "failed" ? `Build failed: ${diagnosticsIn(build)}` : (BUILD[build.status] ?? build.status);
    this.build.dataset.status = build.status;
    this.server.hidden = source.kind === "recording";
    this.server.textContent = `Server: ${(SERVER[server.status] ?? server.status).toLowerCase()}`;
    this.server.dataset.status = server.status;
    const failed = `The build has failed: ${diagnosticsIn(build)}`;
    this.failed.hidden = build.status !== "failed";
    document.title = `${build.status === "failed" ? "Build failed · " : ""}${state.program} · dev`;
    if (build.status === "failed")
      this.failed.replaceChildren(
        `${failed}. ${server.status === "running" ? "The server of the last build still answers. " : ""}`,
        h("a", { href: "#server" }, "Show them"),
      );
    if (!before) return;
    if (before.build.status !== build.status || before.build.number !== build.number) {
      if (build.status === "failed") announce(failed);
      if (build.status === "built" && before.build.status !== "none") announce("The build has succeeded.");
    }
    if (before.server.status !== server.status && server.status === "crashed")
      announce(`The server has crashed. ${server.reason ?? ""}`);
    if (before.server.starts !== server.starts && server.status === "running") announce("The server has started.");
  }

  private connection(connected: boolean): void {
    if (this.lost.hidden === connected) return;
    this.lost.hidden = connected;
    if (connected) announce("Connected again.");
  }

  private refused(problem: string): void {
    this.lost.hidden = false;
    this.lost.textContent = `The command \`dev\` refuses this page: ${problem}. Open the address that it prints.`;
  }

  private async download(): Promise<void> {
    this.save.disabled = true;
    try {
      const url = URL.createObjectURL(await this.session.client.recording());
      const day = new Date().toISOString().slice(0, 16).replace(/[:T]/g, "-");
      const name = this.session.state.program.replace(/[^\w.-]+/g, "-");
      h("a", { href: url, download: `${name}-${day}.mcp-dev.jsonl` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      announce("The recording is saved.");
    } catch (error) {
      announce(`The recording cannot be saved: ${told(error)}`);
    } finally {
      this.save.disabled = false;
    }
  }
}
