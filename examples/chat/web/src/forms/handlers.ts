// The form for each question of each tool. A question that is missing here does not compile.

import type { Handlers } from "../plugins/plugin-client";
import { board } from "./board";
import { flightCards } from "./flights";
import type { FormPlace } from "./form";
import { genericForm } from "./generic";

export function handlersIn(place: FormPlace): Handlers {
  return {
    book_flight: {
      pick_flight: (request) => flightCards(place, request),
      confirm: (request) => genericForm(place, request),
    },
    choose_seat: {
      pick_seat: (request) => genericForm(place, request),
    },
    play_ttt: {
      take_cell: (request) => board(place, request),
    },
  };
}
