// The chat. Text of models and tools is set as text, never as HTML.

const conversation = document.getElementById("conversation");
const lines = [];

document.getElementById("composer").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = document.getElementById("text");
  say("user", field.value);
  field.value = "";
  const reply = await send("POST", "messages", lines);
  if (reply.error) return show("problem", reply.error.message);
  if (reply.text) say("assistant", reply.text);
  reply.calls.forEach(follow);
});

// After a reload, the calls that still wait are shown again.
send("GET", "plugin/calls").then(({ calls }) => calls?.forEach((call) => follow(call.id)));

/** Adds a line, which the assistant gets with the next message. */
function say(role, text) {
  lines.push({ role, text });
  show(role, text);
}

function show(kind, text) {
  const shown = element("p", { className: kind, textContent: text });
  conversation.append(shown);
  shown.scrollIntoView();
}

/** Shows a call: its questions, and how it ends. */
function follow(id) {
  const card = element("section", { className: "call" });
  const title = element("h2");
  const body = element("div");
  card.append(title, body);
  conversation.append(card);
  const events = new EventSource(`plugin/calls/${id}/events`);
  const end = (text) => {
    events.close();
    body.replaceChildren(text);
    lines.push({ role: "assistant", text: `${title.textContent}: ${text}` });
  };
  const handlers = {
    started: ({ tool, title: shown }) => (title.textContent = shown ?? tool),
    progress: ({ message }) => message && body.replaceChildren(message),
    elicit: ({ question }) => body.replaceChildren(questionForm(id, question)),
    answered: () => body.replaceChildren("…"),
    finished: ({ result }) => end(result.content.map((part) => part.text ?? `[${part.type}]`).join("\n")),
    failed: ({ message }) => end(message),
    cancelled: () => end("cancelled"),
  };
  for (const [type, handle] of Object.entries(handlers)) {
    events.addEventListener(type, ({ data }) => {
      handle(JSON.parse(data));
      card.scrollIntoView({ block: "end" });
    });
  }
}

/** Returns the form of a question, or the link of one that asks the user to open a page. */
function questionForm(id, question) {
  const form = element("form");
  const problem = element("p", { className: "problem", textContent: question.rejected ?? "" });
  form.append(element("div", { textContent: question.message }), problem);
  const required = question.schema?.required ?? [];
  const fields = Object.entries(question.schema?.properties ?? {}).map(([name, schema]) => {
    const input = fieldInput(schema, required.includes(name));
    const label = element("label");
    label.append(schema.title ?? name, input);
    if (schema.description) label.append(element("small", { textContent: schema.description }));
    form.append(label);
    return { name, schema, input };
  });
  if (question.url) {
    form.append(element("a", { href: question.url, target: "_blank", rel: "noopener", textContent: question.url }));
  }
  const answer = async (action) => {
    const content = action === "accept" && question.schema ? valuesOf(fields) : undefined;
    const reply = await send("POST", `plugin/calls/${id}/answers`, { seq: question.seq, action, content });
    const problems = reply.error?.problems?.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    problem.textContent = problems?.join("\n") ?? reply.error?.message ?? "";
  };
  const decline = element("button", { type: "button", textContent: "Decline" });
  decline.addEventListener("click", () => answer("decline"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer("accept");
  });
  form.append(element("button", { textContent: question.url ? "Done" : "Submit" }), decline);
  return form;
}

/** Returns the input for a field. The forms of the protocol are flat, so there are no others. */
function fieldInput(schema, required) {
  const choices = schema.oneOf ?? schema.enum?.map((value) => ({ const: value }));
  const several = schema.items?.anyOf ?? schema.items?.enum?.map((value) => ({ const: value }));
  if (choices ?? several) {
    const select = element("select", { multiple: Boolean(several), required: required && !several });
    if (!required && !several) select.append(element("option", { value: "", textContent: "" }));
    for (const choice of choices ?? several) {
      const selected = [schema.default].flat().includes(choice.const);
      select.append(element("option", { value: choice.const, textContent: choice.title ?? choice.const, selected }));
    }
    return select;
  }
  if (schema.type === "boolean") return element("input", { type: "checkbox", checked: schema.default === true });
  const types = { date: "date", "date-time": "datetime-local", email: "email", uri: "url" };
  const isNumber = schema.type === "number" || schema.type === "integer";
  const type = isNumber ? "number" : (types[schema.format] ?? "text");
  return element("input", { type, required, step: schema.type === "number" ? "any" : "", value: schema.default ?? "" });
}

/** Returns the values of a form. A field that was left empty is left out. */
function valuesOf(fields) {
  const values = {};
  for (const { name, schema, input } of fields) {
    if (schema.type === "boolean") values[name] = input.checked;
    else if (schema.type === "array") values[name] = [...input.selectedOptions].map((option) => option.value);
    else if (input.value !== "") values[name] = valueOf(input);
  }
  return values;
}

function valueOf(input) {
  if (input.type === "number") return Number(input.value);
  return input.type === "datetime-local" ? new Date(input.value).toISOString() : input.value;
}

async function send(method, path, body) {
  const headers = body && { "Content-Type": "application/json" };
  try {
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const reply = await response.json().catch(() => ({}));
    if (response.ok || reply.error) return reply;
    return { error: { message: reply.detail ?? `The application answered with the status ${response.status}.` } };
  } catch {
    return { error: { message: "The application cannot be reached." } };
  }
}

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
