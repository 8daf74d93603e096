// The choice of a flight: cards with times and prices.

import { h, uniqueId } from "../dom";
import type { Answer } from "../plugins/plugin-client";
import { choices, field } from "./field";
import { type AnyRequest, type FormPlace, showForm } from "./form";

interface Flight {
  id: string;
  airline: string;
  origin: string;
  destination: string;
  date: string;
  departs: string;
  arrives: string;
  minutes: number;
  price: number;
  seats: number;
}

type PickedFlight = { flight_id: string; seat?: "window" | "aisle" | "none" };

/** Asks for a flight and a seat. The flights are what the tool has found; the choices are those that it offers. */
export function flightCards(place: FormPlace, request: AnyRequest): Promise<Answer<PickedFlight>> {
  const { question, rejected, signal } = request;
  const { flight_id, seat } = question.schema.properties;
  const offered = choices(flight_id ?? {});
  const found = Array.isArray(question.handoff) ? (question.handoff as Flight[]) : [];
  const group = uniqueId("flight");
  const cards = offered.map((choice) => {
    const flight = found.find(({ id }) => id === choice.const);
    const radio = h("input", { type: "radio", name: group, value: choice.const });
    return { radio, element: h("label", { class: "flight" }, radio, ...(flight ? details(flight) : [choice.title ?? choice.const])) };
  });
  const seats = seat ? field("seat", seat, false, undefined) : undefined;
  const problem = h("p", { class: "problem", id: uniqueId("problem") });
  problem.textContent = rejected?.problems.map(({ message }) => message).join(" ") ?? "";
  const list = h(
    "fieldset",
    { class: "field", "aria-describedby": problem.id },
    h("legend", { class: "visually-hidden" }, "Flight"),
    h("div", { class: "flights" }, ...cards.map(({ element }) => element)),
    problem,
  );
  return showForm<PickedFlight>(place, signal, {
    message: question.message,
    body: h("div", { class: "fields" }, list, seats?.element),
    submit: "Choose this flight",
    decline: "None of these",
    read() {
      const chosen = cards.find(({ radio }) => radio.checked);
      problem.textContent = chosen ? "" : "Choose a flight.";
      if (!chosen) {
        list.setAttribute("aria-invalid", "true");
        cards[0]?.radio.focus();
        return undefined;
      }
      const seat = seats?.read() as PickedFlight["seat"];
      return { flight_id: chosen.radio.value, ...(seat && { seat }) };
    },
  });
}

/** Returns a day such as `Fri 4 Dec`. */
function day(date: string): string {
  const day = new Date(`${date}T12:00:00`);
  return Number.isNaN(day.getTime()) ? date : day.toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short" });
}

function details(flight: Flight): HTMLElement[] {
  const [hours, minutes] = [Math.floor(flight.minutes / 60), flight.minutes % 60];
  const duration = [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`].filter(Boolean).join(" ");
  const end = (time: string, airport: string) => h("span", { class: "end" }, h("b", {}, time), " ", h("span", {}, airport));
  return [
    h(
      "span",
      { class: "route" },
      end(flight.departs, flight.origin),
      h("span", { class: "duration" }, duration),
      end(flight.arrives, flight.destination),
    ),
    h("span", { class: "airline" }, h("span", { class: "date" }, day(flight.date)), ` · ${flight.airline}`),
    h("span", { class: "price" }, h("b", {}, `${flight.price} €`), " ", h("span", {}, flight.seats === 1 ? "1 seat left" : `${flight.seats} seats left`)),
  ];
}
