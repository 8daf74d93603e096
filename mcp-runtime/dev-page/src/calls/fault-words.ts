// What each fault does, in words.

import type { Fault } from "../dev-api";

export interface FaultWords {
  name: string;
  /** What happens, in one sentence. */
  does: string;
  /** When it happens: at the next message, at once, or with a new call. */
  when: "next" | "now" | "again";
  /** Whether it needs a state that the client carries. A session has none. */
  needsState?: boolean;
}

export const FAULTS: Record<Fault, FaultWords> = {
  lose_reply: {
    name: "Lose the next reply",
    does: "The next reply is lost, and the client sends its request again.",
    when: "next",
  },
  send_twice: {
    name: "Send the next request twice",
    does: "The next request arrives twice at the same time.",
    when: "next",
  },
  close_connection: {
    name: "Close the connection",
    does: "The connection closes in the middle of the next request. The client connects again and repeats it.",
    when: "next",
  },
  answer_late: {
    name: "Answer late",
    does: "The state expires first, and then the client answers.",
    when: "next",
    needsState: true,
  },
  answer_wrongly: {
    name: "Answer wrongly",
    does: "The client answers with content that does not fit the form.",
    when: "next",
  },
  answer_spent: {
    name: "Answer a spent state",
    does: "The client answers the state of the round before, with other answers.",
    when: "next",
    needsState: true,
  },
  other_instance: {
    name: "Use the other instance",
    does: "The next round goes to the second process, which shares the store.",
    when: "next",
    needsState: true,
  },
  kill: {
    name: "Kill the process",
    does: "The process is killed now, and started again for the next round.",
    when: "now",
  },
  clock_forward: { name: "Clock forward", does: "The clock of the server goes forward by an hour.", when: "now" },
  cancel: { name: "Cancel", does: "The client cancels the call.", when: "now" },
  other_revision: {
    name: "Again in the other era",
    does: "The same call by a client of the other era: with sessions, or without.",
    when: "again",
  },
  without_elicitation: {
    name: "Again without elicitation",
    does: "The same call by a client that cannot ask its user.",
    when: "again",
  },
  without_sampling: {
    name: "Again without sampling",
    does: "The same call by a client that has no model.",
    when: "again",
  },
};

export const STATUS: Record<string, string> = {
  working: "Working",
  input_required: "Asks",
  finished: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};
