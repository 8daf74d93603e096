// The page of the command `dev`.

import "./style/page.css";

import { DevClient, told } from "./client";
import { Page } from "./page";
import { h } from "./parts";
import { Session } from "./session";

async function start(): Promise<void> {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  const session = new Session(new DevClient(token));
  try {
    await session.load();
  } catch (error) {
    const text = `The command \`dev\` does not answer this page: ${told(error)}. Open the address that it prints.`;
    document.title = "dev";
    document.body.append(h("main", {}, h("h1", {}, "dev"), h("p", { class: "problem", role: "alert" }, text)));
    return;
  }
  new Page(session);
  void session.list();
  void session.follow();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start());
else void start();
