// The move in a game of tic-tac-toe: a board to click.

import { announce } from "../announce";
import { h, uniqueId } from "../dom";
import type { Answer } from "../plugins/plugin-client";
import { choices } from "./field";
import { type AnyRequest, draw, type FormPlace, keepFocus } from "./form";

const PLACES = ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

/** Asks for a cell. The free cells are the choices of the form, and the message draws the others. */
export function board(place: FormPlace, request: AnyRequest): Promise<Answer<{ cell: string }>> {
  const { question, signal } = request;
  const free = choices(question.schema.properties.cell ?? {}).map((choice) => choice.const);
  const marks = marksIn(question.message);
  return new Promise((resolve) => {
    const heading = uniqueId("question");
    const cells = PLACES.map((name, index) => {
      const number = String(index + 1);
      const mark = free.includes(number) ? "" : (marks[index] ?? "");
      const label = `${name}, ${mark === "" ? "free" : mark}`;
      return h(
        "button",
        {
          type: "button",
          class: `cell ${mark.toLowerCase()}`,
          "aria-label": label,
          "aria-disabled": mark === "" ? undefined : "true",
          tabindex: -1,
          onclick: () => mark === "" && finish({ action: "accept", content: { cell: number } }),
        },
        mark,
      );
    });
    const finish = (answer: Answer<{ cell: string }>) => {
      keepFocus(place);
      for (const control of element.querySelectorAll("button")) control.disabled = true;
      resolve(answer);
    };
    // One cell is in the order of the tab key; arrows move between the cells.
    const start = Math.max(
      cells.findIndex((cell) => !cell.hasAttribute("aria-disabled")),
      0,
    );
    cells[start]!.tabIndex = 0;
    const grid = h(
      "div",
      {
        class: "board",
        role: "group",
        "aria-labelledby": heading,
        onkeydown: (event: KeyboardEvent) => move(event, cells),
      },
      ...cells,
    );
    const [turn = ""] = question.message.split("\n");
    const element = h(
      "div",
      { class: "form" },
      h("p", { id: heading, class: "message" }, turn),
      grid,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => finish({ action: "decline" }) }, "Give up"),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            title: "Close the question without an answer (Escape)",
            "aria-keyshortcuts": "Escape",
            onclick: () => finish({ action: "cancel" }),
          },
          "Close",
        ),
      ),
    );
    draw(place, element, cells[start]!, signal, () => finish({ action: "cancel" }));
    announce(`Question: ${turn}`);
  });
}

function move(event: KeyboardEvent, cells: HTMLButtonElement[]): void {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 };
  const step = steps[event.key];
  const from = cells.indexOf(document.activeElement as HTMLButtonElement);
  if (step === undefined || from < 0) return;
  event.preventDefault();
  const sameRow = Math.floor((from + step) / 3) === Math.floor(from / 3);
  const to = cells[from + step];
  if (!to || (Math.abs(step) === 1 && !sameRow)) return;
  cells[from]!.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

/** Reads the marks of the board that a text draws: nine cells, three in a row. */
export function marksIn(text: string): string[] {
  const rows = text.split("\n").filter((line) => line.includes("|"));
  return rows.flatMap((row) => row.split("|").map((cell) => cell.trim())).map((cell) => (/^[XO]$/.test(cell) ? cell : ""));
}
