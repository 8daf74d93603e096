//! How is the page of a view written? One HTML file, the client of views, and no build step.
//!
//! A [view](mod@crate::view) is a page that a host shows in a sandboxed frame. The page talks with its host, never with the
//! server: the host sends it the input and the result of a tool, and passes its own calls on. A small client does that. The
//! page names it as a script:
//!
//! ```html
//! <!doctype html>
//! <html lang="en">
//! <meta charset="utf-8">
//! <title>Seat map</title>
//! <h1 id="title">Waiting…</h1>
//! <p id="free"></p>
//! <button id="refresh">Refresh</button>
//! <script src="mcp-view.js"></script>
//! <script>
//!   const view = connectView({
//!     name: "seats",
//!     onInput: ({ flight }) => (document.getElementById("title").textContent = flight),
//!     onResult: ({ structuredContent }) => show(structuredContent),
//!   });
//!   function show({ flight, free }) {
//!     document.getElementById("free").textContent = free.join(" ");
//!     document.getElementById("refresh").onclick = async () =>
//!       show((await view.callTool("seat_map", { flight })).structuredContent);
//!   }
//! </script>
//! ```
//!
//! The server replaces the text `<script src="mcp-view.js"></script>` with the client when it serves the page: 6 KB, and
//! nothing for a page without this line. Write the line exactly like this. No other relative address works in a view,
//! because a view has no address: put styles, scripts and images into the file.
//!
//! # Functions of the page
//!
//! Give all functions to `connectView`, which makes the handshake. The host sends the input right after the handshake, so a
//! function that is set later can miss it. Each function is optional:
//!
//! | function | is called |
//! | --- | --- |
//! | `onInput(input)` | with the arguments of the call |
//! | `onPartialInput(input)` | with the part of the arguments that the model has written so far |
//! | `onResult({ structuredContent, content, isError })` | with the result. If the tool has failed, only `content` is there |
//! | `onCancelled(reason)` | if the call has no result |
//! | `onQuestion({ message, requestedSchema })` | with a question of the tool, see below. Returns the answer |
//! | `onContext(context)` | when the host says what its theme, language and sizes are, and when they change |
//! | `onTeardown()` | before the host removes the page. It waits for a promise for a short time |
//!
//! The theme of the host becomes the `color-scheme` of the page, and the attribute `data-theme` of `<html>`: `light-dark(…)`
//! and system colours follow it. Variables of styles, such as `--font-sans`, are set if the host has them. The height of the
//! page is reported by itself.
//!
//! # Requests of the page
//!
//! | request | result |
//! | --- | --- |
//! | `await view.callTool(name, arguments)` | the result of a tool of the same server |
//! | `await view.readResource(uri)` | the contents of a resource |
//! | `await view.sendMessage(text)` | adds a message of the user to the conversation |
//! | `await view.openLink(url)` | opens a page in the browser |
//! | `await view.requestDisplayMode(mode)` | the display mode that the page has then |
//! | `await view.ready` | the name and the capabilities of the host |
//! | `await view.request(method, params)` | any other request of MCP Apps |
//!
//! A request that the host refuses fails with a `ViewError`, which has a `code` and a `message`. A tool that fails has a
//! result with `isError`. A host can ask the user before it calls a tool, sends a message or opens a link.
//!
//! A page can call the tools that the model can call, and those with `visibility = "app"`, which the model does not see.
//! Hosts keep these rules. The server cannot tell who calls, so each tool checks the rights of its caller itself.
//!
//! # Questions in a view
//!
//! A variant of [`#[elicits]`](macro@crate::elicits) with `#[elicit(view = SeatMap)]` (feature `views-preview`) is shown by
//! the page if the client and the page both can. Everywhere else the user gets a form. Both give the same answer, and the
//! same rules check it.
//!
//! ```js
//! connectView({
//!   name: "seats",
//!   onQuestion: ({ message, requestedSchema }) =>
//!     new Promise((resolve) => {
//!       const seats = requestedSchema.properties.seat.oneOf; // the choices: [{ const: "1A", title: "1A, window" }]
//!       draw(message, seats);
//!       take.onclick = () => resolve({ action: "accept", content: { seat: chosen } });
//!       none.onclick = () => resolve({ action: "decline" });
//!     }),
//! });
//! ```
//!
//! The page gets the message and the schema, with the choices that the tool has set, and no input and no result. It can read
//! resources, but some hosts let it call no tool while it asks. If the function fails, or if its answer does not fit the
//! schema, the host asks with a form of its own.
//!
//! # Types
//!
//! `PluginHost::typescript` (features `plugin` and `http`) writes `mcp-view.d.ts`: the input and the result of the tools that
//! each view shows, the tools that views can call, and the answers to their forms. With this file and `mcp-view.js` beside
//! the page, an editor completes and checks what the page writes. A test keeps both files up to date, as `plugin` shows.
//! A page that is built from TypeScript uses the same types:
//!
//! ```ts
//! const view = connectView<"ui://flights/seats">({
//!   name: "seats",
//!   onResult: ({ structuredContent }) => structuredContent?.free.join(" "),
//! });
//! ```
//!
//! The official package `@modelcontextprotocol/ext-apps` works too, if a bundler puts it into the file. It adds at least half
//! a megabyte to each view.
//!
//! # What a page can reach
//!
//! A host shows the page in a frame without an origin: it has no cookies, no storage, and nothing of the page around it. It
//! cannot navigate, open windows, or submit forms: a `<form>` has no event `submit` there, so use the clicks of buttons. It
//! connects only to the origins that `csp(…)` declares. Their requests carry `Origin: null`, so such a server must allow
//! every origin.
//!
//! No policy of a browser stops WebRTC: a hostile script can send packets to any address. A policy protects the user from
//! mistakes and from most attacks, not from a script that you would not trust. Text from a tool is data: write it with
//! `textContent`, never with `innerHTML`.
//!
//! # People who do not use a mouse
//!
//! A page is read by screen readers and used with the keyboard. Use elements that the browser knows (`<button>`,
//! `<input type="radio">` in a `<fieldset>`, `<table>`), a heading, and `role="status"` for what changes. The examples
//! `flights` and `pipelines` have such pages; `axe` finds nothing in them.
