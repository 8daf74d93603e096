// The client that the page is: its revision, its transport, what it declares, and who it is.

import type { ClientSetup, DevState } from "./dev-api";
import { announce, h, uniqueId } from "./parts";
import type { Session } from "./session";
import type { Stored } from "./stored";
import { labelled } from "./ui";

const CAPABILITIES = ["elicitation", "sampling", "roots", "views"] as const;

export class SetupBar {
  readonly element: HTMLElement;
  private readonly summary = h("span");
  private readonly revision: HTMLSelectElement;
  private readonly transport: HTMLSelectElement;
  private readonly boxes: [(typeof CAPABILITIES)[number], HTMLInputElement][];
  private readonly name = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: "Nobody" });
  private readonly scopes = h("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "read write",
  });
  private readonly instance = h(
    "select",
    {},
    h("option", { value: "first" }, "First"),
    h("option", { value: "second" }, "Second"),
  );

  constructor(
    private readonly session: Session,
    private readonly stored: Stored,
  ) {
    const { revisions, abilities } = session.state;
    const setup = read(stored.read<Partial<ClientSetup>>("client"), session.state);
    session.setup = setup;
    this.revision = h("select", {}, ...revisions.map((revision) => h("option", { value: revision }, revision)));
    this.transport = h(
      "select",
      {},
      ...abilities.transports.map((transport) => h("option", { value: transport }, transport)),
    );
    this.boxes = CAPABILITIES.map((name) => [name, h("input", { type: "checkbox", name })]);
    const group = uniqueId("capabilities");
    const form = h(
      "form",
      {
        class: "setup",
        "aria-label": "Client",
        onchange: () => this.changed(),
        onsubmit: (event: SubmitEvent) => (event.preventDefault(), this.changed()),
      },
      labelled("Revision", this.revision),
      labelled("Transport", this.transport),
      h(
        "div",
        { class: "labelled", role: "group", "aria-labelledby": group },
        h("span", { id: group, class: "label" }, "Declares"),
        ...this.boxes.map(([name, box]) => h("label", { class: "choice" }, box, h("span", {}, name))),
      ),
      abilities.tokens && labelled("Principal", this.name),
      abilities.tokens && labelled("Scopes", this.scopes),
      abilities.faults.includes("other_instance") && labelled("Instance", this.instance),
    );
    // On a narrow screen the bar is folded.
    const details = h("details", { class: "setup-bar" }, h("summary", {}, "Client: ", this.summary), form);
    const wide = matchMedia("(width >= 48rem)");
    const fit = () => (details.open = wide.matches);
    wide.addEventListener("change", fit);
    fit();
    this.element = details;
    this.write(setup);
    if (!session.canCall) details.hidden = true;
  }

  private write({ revision, transport, capabilities, principal, otherInstance }: ClientSetup): void {
    this.revision.value = revision;
    this.transport.value = transport;
    for (const [name, box] of this.boxes) box.checked = capabilities[name];
    this.name.value = principal?.name ?? "";
    this.scopes.value = principal?.scopes.join(" ") ?? "";
    this.instance.value = otherInstance ? "second" : "first";
    this.draw();
  }

  private changed(): void {
    const name = this.name.value.trim();
    const scopes = this.scopes.value.split(/[\s,]+/).filter((scope) => scope !== "");
    const setup: ClientSetup = {
      revision: this.revision.value,
      transport: this.transport.value as ClientSetup["transport"],
      capabilities: Object.fromEntries(
        this.boxes.map(([name, box]) => [name, box.checked]),
      ) as unknown as ClientSetup["capabilities"],
      // Only a request over HTTP has a token.
      ...(name !== "" && this.transport.value === "http" && { principal: { name, scopes } }),
      ...(this.instance.value === "second" && { otherInstance: true }),
    };
    this.stored.write("client", setup);
    this.session.use(setup);
    this.draw();
    announce("The next calls use this client.");
  }

  private draw(): void {
    this.name.disabled = this.scopes.disabled = this.transport.value !== "http";
    const declared = this.boxes.filter(([, box]) => box.checked).map(([name]) => name);
    this.summary.textContent = [
      this.revision.value,
      this.transport.value,
      declared.join(", ") || "declares nothing",
      this.name.disabled ? "" : this.name.value,
    ]
      .filter(Boolean)
      .join(" · ");
  }
}

/** Returns the client of the last time, as far as it is possible now. */
function read(stored: Partial<ClientSetup> | undefined, { revisions, abilities }: DevState): ClientSetup {
  const newest = [...revisions].sort().at(-1) ?? "";
  const [transport = "stdio"] = abilities.transports;
  const { capabilities: declared, principal } = stored ?? {};
  const is = (name: (typeof CAPABILITIES)[number]) => (typeof declared?.[name] === "boolean" ? declared[name] : true);
  const isPrincipal = abilities.tokens && typeof principal?.name === "string" && Array.isArray(principal.scopes);
  return {
    revision: revisions.find((revision) => revision === stored?.revision) ?? newest,
    transport: abilities.transports.find((one) => one === stored?.transport) ?? transport,
    capabilities: { elicitation: is("elicitation"), sampling: is("sampling"), roots: is("roots"), views: is("views") },
    ...(isPrincipal && { principal }),
  };
}
