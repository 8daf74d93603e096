// Generated for the views of the server. Do not edit.
// The types of `mcp-view.js`, the client of a view.

/** The URI of a view of this server. */
type ViewUri = keyof Views & string;

/** The tools whose calls a view shows. */
type ShownTool<V extends ViewUri> = Views[V]["tools"][keyof Views[V]["tools"]];
type ToolInput<V extends ViewUri> = ShownTool<V> extends { arguments: infer Arguments } ? Arguments : never;
type ToolOutput<V extends ViewUri> = ShownTool<V> extends { result: infer Result } ? Result : never;

/** The result of a tool, as the protocol defines it. */
interface ViewToolResult<Data = unknown> {
  /** What the model reads. */
  content: { type: string; text?: string; [member: string]: unknown }[];
  /** The data for the view. Missing if the tool has failed. */
  structuredContent?: Data;
  /** Whether the tool says that it has failed. Then `content` says why. */
  isError?: boolean;
}

/** A question of a tool. */
interface ViewQuestion {
  message: string;
  /** The fields of the answer: `properties` has the schema of each, with its choices. */
  requestedSchema: {
    type: "object";
    properties: Record<string, ViewField>;
    required?: string[];
  };
}

interface ViewField {
  type: "string" | "number" | "integer" | "boolean" | "array";
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  oneOf?: { const: string; title?: string }[];
  [keyword: string]: unknown;
}

type ViewAnswer<Content> = { action: "accept"; content: Content } | { action: "decline" } | { action: "cancel" };

type DisplayMode = "inline" | "fullscreen" | "pip";

/** What the host says about the place of the view. Every member can be missing. */
interface HostContext {
  theme?: "light" | "dark";
  styles?: { variables?: Record<string, string>; css?: { fonts?: string } };
  displayMode?: DisplayMode;
  availableDisplayModes?: DisplayMode[];
  containerDimensions?: { width?: number; maxWidth?: number; height?: number; maxHeight?: number };
  /** Such as `en-GB`. */
  locale?: string;
  /** Such as `Europe/Oslo`. */
  timeZone?: string;
  [member: string]: unknown;
}

/** What a view does when its host calls it. Every function can be missing. */
interface ViewOptions<V extends ViewUri> {
  /** The name of the view. */
  name: string;
  title?: string;
  /** Default: `1.0.0`. */
  version?: string;
  /** The modes in which the view can be shown. Default: `inline`. */
  displayModes?: DisplayMode[];
  /** The tool was called with these arguments. */
  onInput?(input: ToolInput<V>): void;
  /** The model still writes the arguments: these are what it has written so far. */
  onPartialInput?(input: Partial<ToolInput<V>>): void;
  /** The tool has a result. */
  onResult?(result: ViewToolResult<ToolOutput<V>>): void;
  /** The call was cancelled: there will be no result. */
  onCancelled?(reason: string | undefined): void;
  /**
   * The tool asks the user, and this view shows its question. The host checks the answer. If the function fails, the host
   * shows its own form. Without this function the host always does.
   */
  onQuestion?(question: ViewQuestion): ViewAnswer<Views[V]["forms"]> | Promise<ViewAnswer<Views[V]["forms"]>>;
  /** The host has said what its context is, or that it has changed. The theme and the styles are applied before. */
  onContext?(context: HostContext): void;
  /** The host closes the view. It waits for the promise for a short time. */
  onTeardown?(): void | Promise<void>;
}

/** The connection of a view to its host. Every request waits for the handshake, and fails with a `ViewError`. */
interface View {
  /** Resolves when the host has answered the handshake. */
  readonly ready: Promise<{ info: { name: string; version: string }; capabilities: Record<string, unknown> }>;
  /** What the host has said about the place of the view so far. */
  readonly context: HostContext;
  /** Calls a tool of the server. A tool that fails has a result with `isError`. */
  callTool<T extends keyof ViewTools>(
    tool: T,
    args: ViewTools[T]["arguments"],
  ): Promise<ViewToolResult<ViewTools[T]["result"]>>;
  /** Reads a resource of the server. */
  readResource(uri: string): Promise<{ uri: string; mimeType?: string; text?: string; blob?: string }[]>;
  /** Adds a message of the user to the conversation. The host can ask the user before. */
  sendMessage(text: string): Promise<void>;
  /** Asks the host to open a page in the browser. */
  openLink(url: string): Promise<void>;
  /** Asks for another display mode, and returns the mode that the view has then. */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>;
  /** Sends any request of MCP Apps. */
  request(method: string, params?: Record<string, unknown>): Promise<any>;
  /** Sends any notification of MCP Apps. */
  notify(method: string, params?: Record<string, unknown>): void;
}

/** An error that the host has answered. */
declare class ViewError extends Error {
  readonly code: number;
  readonly data: unknown;
}

/**
 * Connects this page to the host that shows it. Call it once, with all functions: the host sends the input of the tool
 * right after the handshake. The theme, the variables of styles, the size, `ping` and the end of the view are handled.
 */
declare function connectView<V extends ViewUri>(options: ViewOptions<V>): View;

/** The tools that views call, and those whose calls they show. */
interface ServerTools {
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
  };
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
  };
}

/** The tools that a view can call. */
type ViewTools = Pick<ServerTools, "code_search" | "seat_map" | "choose_seat" | "book_flight" | "play_ttt">;

/** The views: the tools whose calls each one shows, and the answers to the forms that it shows. */
interface Views {
  "ui://flights/seats": {
    tools: Pick<ServerTools, "seat_map" | "choose_seat">;
    forms: {
      /** The seat. A and D are at the windows, B and C at the aisle. */
      seat: string;
    };
  };
}
