// Generated from the tools of the application. Do not edit.

/** The tools of the application: their arguments, their structured results and their forms. */
export interface Tools {
  /**
   * Search the contents of all files for a regular expression, line by line. Hidden and ignored files are left out.
   *
   * Use it to find where a name is defined or used; then `read_lines` shows more of a file.
   */
  code_search: {
    arguments: {
      /**
       * A regular expression (Rust syntax: no look-around, no back references), matched against one line at a time.
       * Write `\(` for a literal parenthesis.
       */
      pattern: string;
      /** A directory or file below the root: search only there. */
      path?: string;
      /**
       * Search only files that fit these globs, written as in a `.gitignore`: `*.rs` is in any directory, `src/**` is
       * all below `src`, `!*.lock` leaves files out.
       */
      globs?: Array<string>;
      /** Whether to ignore case. */
      ignore_case?: boolean;
      /** How many lines to show before and after each line that matches. */
      context?: number;
      /** How many lines that match to show at most. */
      limit?: number;
    };
    result: {
      /** The files with at least one line that matches, sorted by path. */
      files: Array<{ path: string; lines: Array<{ line: number; text: string; matches?: Array<{ start: number; end: number }> }> }>;
      /** The number of matching lines in `files`. */
      matching_lines: number;
      /** The number of files that were searched. */
      files_searched: number;
      /** The number of files that were skipped because they are binary or could not be read. */
      files_skipped: number;
      /** Whether the limit was reached and more lines match than are shown. */
      truncated: boolean;
    };
    forms: Record<never, never>;
  };
  /** Show the user which seats of a flight are free. */
  seat_map: {
    arguments: {
      /** The id of the flight, as `search_flights` gives it. */
      flight: string;
    };
    result: {
      /** The id of the flight. */
      flight: string;
      /** The free seats, from the front to the back. A and D are at the windows, B and C at the aisle. */
      free: Array<string>;
      /** The seat that the user has chosen. */
      chosen?: string | null;
    };
    forms: Record<never, never>;
  };
  /** Let the user choose a seat of a flight. Nothing is booked. */
  choose_seat: {
    arguments: {
      /** The id of the flight, as `search_flights` gives it. */
      flight: string;
    };
    result: {
      /** The id of the flight. */
      flight: string;
      /** The free seats, from the front to the back. A and D are at the windows, B and C at the aisle. */
      free: Array<string>;
      /** The seat that the user has chosen. */
      chosen?: string | null;
    };
    forms: {
      /** Which seat. */
      pick_seat: {
        /** The seat. A and D are at the windows, B and C at the aisle. */
        seat: string;
      };
    };
  };
  /** Book a flight together with the user, who picks one of those that fit and confirms it. Nothing is booked otherwise. */
  book_flight: {
    arguments: {
      /** IATA code of the airport to fly to, such as `OSL`. */
      destination: string;
      /** IATA code of the airport to leave from. Leave it out to offer flights from everywhere. */
      origin?: string;
      /** The day to fly, such as `2026-12-05`. Leave it out to offer all days. */
      date?: string;
    };
    result: undefined;
    forms: {
      /** Which flight, and where to sit. */
      pick_flight: {
        /** The flight to book; the cheapest is the first. */
        flight_id: string;
        /** Where to sit. */
        seat?: "window" | "aisle" | "none";
      };
      /** Confirms the booking. */
      confirm: {
        /** Without it nothing is booked. */
        confirmed: boolean;
      };
    };
  };
  /** Play a game of tic-tac-toe with the user, move by move to its end. The user sees the board: do not draw it. */
  play_ttt: {
    arguments: {
      /** The mark of the user. X begins. Leave it out to draw the mark at random. */
      user_plays?: "X" | "O";
    };
    result: {
      /** How a game ended. `model_won`: The model has three in a line; `user_won`: The user has three in a line; `draw`: The board is full; `resigned`: The user gave up; `closed`: The user closed the board without a move; `forfeited`: The model gave no legal move, although it was asked again; `adjourned`: The game was not finished, because a player could no longer be asked */
      outcome: "model_won" | "user_won" | "draw" | "resigned" | "closed" | "forfeited" | "adjourned";
      /** Why the game was not finished. */
      why?: string | null;
      /** The player with X, who began. */
      x: "model" | "user";
      /** The rows from top to bottom. Free cells are null. */
      board: Array<Array<"X" | "O" | null>>;
      /** The moves in order. Cells are numbered from 1 at the top left to 9 at the bottom right. */
      moves: Array<{ mark: "X" | "O"; cell: number; plan?: string | null }>;
    };
    forms: {
      /** Where the mark goes. */
      take_cell: {
        /** A free cell. */
        cell: string;
      };
    };
  };
}
