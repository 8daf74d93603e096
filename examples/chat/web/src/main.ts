// The page.

import "./style.css";

import { announce, liveRegion } from "./announce";
import * as chat from "./chat-client";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { h, icon, type Shape } from "./dom";
import { PluginClient } from "./plugins/plugin-client";

const SUGGESTIONS: [Shape, string, string][] = [
  ["plane", "Book a flight", "Book a flight to Helsinki"],
  ["grid", "Play a game", "Play a game of tic-tac-toe with me"],
  ["search", "Search the code", "Search the code for async functions"],
];

const model = h("span", { class: "model" });
const banner = h("div", { class: "banner", role: "status", hidden: true }, "The connection is lost. Trying again…");
const fresh = h(
  "button",
  { type: "button", class: "quiet small", "aria-label": "New conversation", hidden: true, onclick: () => void newConversation() },
  icon("plus"),
  h("span", { class: "wide" }, "New conversation"),
);
const scroller = h("main", { class: "scroller-of-page", tabindex: -1 });
/** The end of the conversation before this one. A message must not overtake it. */
let cleared = Promise.resolve();
const composer = new Composer({ send: (text) => cleared.then(() => chat.send(text)), stop: chat.stop });
const conversation = new Conversation(new PluginClient("/plugins"), connection, scroller, {
  propose: (text) => composer.propose(text),
});
const welcome = h(
  "section",
  { class: "welcome", hidden: true },
  h("h2", {}, "What can I do for you?"),
  h("p", {}, "I can call tools. They ask you here, in the conversation."),
  h(
    "div",
    { class: "suggestions" },
    ...SUGGESTIONS.map(([shape, name, text]) =>
      h(
        "button",
        { type: "button", class: "suggestion", onclick: () => void composer.submit(text) },
        icon(shape),
        h("b", {}, name),
        h("span", {}, text),
      ),
    ),
  ),
);

scroller.append(welcome, conversation.element);
document.body.append(
  h("header", { class: "top" }, h("h1", {}, "Chat with tools"), model, fresh),
  banner,
  scroller,
  composer.element,
  liveRegion(),
);

chat.follow({
  begin() {
    conversation.clear();
    update();
  },
  item(item) {
    conversation.add(item);
    update();
  },
  connection,
});
chat.modelName().then(
  (name) => (model.textContent = name),
  () => (model.textContent = ""),
);
composer.focus();

function update(): void {
  welcome.hidden = !conversation.isEmpty;
  fresh.hidden = conversation.isEmpty;
  composer.setBusy(conversation.isBusy);
}

function connection(connected: boolean): void {
  if (banner.hidden === connected) return;
  banner.hidden = connected;
  if (connected) announce("Connected again.");
}

async function newConversation(): Promise<void> {
  cleared = chat.clear().catch((error: unknown) => announce(String(error)));
  await cleared;
  composer.focus();
}
