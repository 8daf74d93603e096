// What the server remembers of a call: the state that the client carries, and the record of the ledger.

import type { CallRecord } from "../dev-api";
import { h } from "../parts";
import { bytes, code, countdown, disclosure, facts, pretty, table } from "../ui";

export function recordOf(record: CallRecord, now: () => number): HTMLElement {
  const ran = Object.entries(record.ran ?? {});
  return h(
    "div",
    { class: "record" },
    record.state
      ? stateOf(record.state, now)
      : h("p", { class: "note" }, "No state: no round has ended with questions."),
    record.record
      ? ledgerOf(record.record, now)
      : h("p", { class: "note" }, "The ledger has no record of this call yet."),
    ran.length > 0 &&
      h(
        "section",
        {},
        h("h4", {}, "What has run"),
        table(
          "What has run",
          ["Phase or step", "How often"],
          ran.map(([name, times]) => [name, times === 1 ? "once" : `${times} times`]),
        ),
      ),
  );
}

function stateOf(state: NonNullable<CallRecord["state"]>, now: () => number): HTMLElement {
  const kinds = {
    sealed: "sealed, opened with the keys of this session",
    token: "a token for what the server keeps",
    unknown: "of an unknown kind",
  };
  return h(
    "section",
    {},
    h("h4", {}, "State of the client"),
    facts([
      ["Kind", kinds[state.kind] ?? String(state.kind)],
      ["Size", bytes(state.length)],
      ["Call", state.call],
      ["Round", state.round === undefined ? undefined : String(state.round)],
      ["Expires", state.expiresAt === undefined ? undefined : countdown(state.expiresAt, "expired", now)],
      ["Wrong answers", state.misses === undefined ? undefined : String(state.misses)],
    ]),
    state.journal !== undefined && disclosure("Journal", () => code(pretty(state.journal), "Journal"), true),
  );
}

function ledgerOf(record: NonNullable<CallRecord["record"]>, now: () => number): HTMLElement {
  const statuses = {
    open: "open: waits for an answer",
    running: "running: an instance has leased the round",
    begun: "begun: `after` has begun, and never begins again",
    done: "done: the outcome is recorded",
  };
  const { lease } = record;
  return h(
    "section",
    {},
    h("h4", {}, "Record of the ledger"),
    facts([
      ["Status", statuses[record.status] ?? String(record.status)],
      ["Round", String(record.round)],
      ["Lease", lease ? h("span", {}, `${lease.holder}, ends `, countdown(lease.until, "now", now)) : "none"],
      ["Version", record.version],
    ]),
    record.steps.length > 0 &&
      table(
        "Steps",
        ["Step", "Value"],
        record.steps.map(({ name, value }) => [
          name,
          value === undefined ? "not recorded" : h("code", {}, JSON.stringify(value).slice(0, 500)),
        ]),
      ),
    record.reply !== undefined && disclosure("Recorded reply", () => code(pretty(record.reply), "Recorded reply")),
  );
}
