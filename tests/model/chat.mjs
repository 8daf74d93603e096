// What a request of the API means for the model, and what the model's text means for the API.

/** As much is written where a request does not say. */
const MAX_TOKENS = 128;

class Unreadable extends Error {}

export class Chat {
    static Unreadable = Unreadable;

    constructor(body, guided) {
        if (!Array.isArray(body.messages) || body.messages.length === 0) throw new Unreadable("`messages` is empty");
        const tools = body.tool_choice === "none" ? [] : (body.tools ?? []).map((tool) => tool.function);
        this.tools = tools;
        this.required = body.tool_choice === "required";
        this.temperature = body.temperature ?? 0;
        this.maxTokens = body.max_completion_tokens ?? body.max_tokens ?? MAX_TOKENS;
        this.stop = [body.stop ?? []].flat();

        const schema = body.response_format?.json_schema?.schema;
        const told = body.messages.filter((message) => message.role === "system").map((message) => text(message.content));
        if (tools.length > 0) told.push(`Tools:\n${tools.map(described).join("\n")}\nCall one by JSON: ${FORM}`);
        if (schema && !guided) told.push(`Answer by JSON of this schema: ${JSON.stringify(schema)}`);
        this.system = told.join("\n\n") || "You are a helpful assistant.";
        this.turns = body.messages.filter((message) => message.role !== "system").map(turn);

        if (guided && tools.length > 0 && this.required) this.schema = { oneOf: tools.map(called) };
        else if (guided && schema) this.schema = supported(schema);
    }

    /** The API's choice, of what was written. */
    choice({ text, cut }) {
        const call = this.tools.length > 0 ? readCall(text, this.tools) : undefined;
        if (!call) return { message: { role: "assistant", content: text }, finish_reason: cut ? "length" : "stop" };
        const tool_calls = [{ id: `call_${Date.now()}`, type: "function", function: call }];
        return { message: { role: "assistant", content: null, tool_calls }, finish_reason: "tool_calls" };
    }
}

const FORM = `{"name": "…", "arguments": {…}}`;

function described({ name, description, parameters }) {
    return `- ${name}: ${description ?? ""} Arguments: ${JSON.stringify(parameters?.properties ?? {})}`;
}

/** The schema of a call of the tool. */
function called({ name, parameters }) {
    const args = supported(parameters ?? { type: "object", properties: {} });
    return { type: "object", properties: { name: { const: name }, arguments: args } };
}

/** A turn of the conversation: `user`, or `model`. */
function turn(message) {
    switch (message.role) {
        case "user":
            return { by: "user", text: text(message.content) };
        case "tool":
            return { by: "user", text: `Result: ${text(message.content)}` };
        case "assistant": {
            const calls = (message.tool_calls ?? []).map((call) => {
                const { name, arguments: args } = call.function;
                return `{"name": ${JSON.stringify(name)}, "arguments": ${args}}`;
            });
            return { by: "model", text: [text(message.content ?? ""), ...calls].filter(Boolean).join("\n") };
        }
        default:
            throw new Unreadable(`there is no role \`${message.role}\``);
    }
}

function text(content) {
    if (typeof content === "string") return content;
    return (content ?? [])
        .map((part) => {
            if (part.type !== "text") throw new Unreadable(`it reads text alone, and no \`${part.type}\``);
            return part.text;
        })
        .join("\n");
}

/** A call, if the text is one and nothing else. The arguments stay text, right or not. */
function readCall(text, tools) {
    let value;
    try {
        value = JSON.parse(text);
    } catch {
        return undefined;
    }
    if (!tools.some((tool) => tool.name === value?.name)) return undefined;
    return { name: value.name, arguments: JSON.stringify(value.arguments ?? {}) };
}

/** The schema in the keywords that grammars are made of. What has no place in them is left out. */
function supported(schema) {
    if (schema === true) return {};
    const { $defs, $ref, type, enum: values, const: value, oneOf, anyOf, properties, items } = schema;
    const defs = $defs && { $defs: mapped($defs) };
    if ($ref) return { $ref, ...defs };
    if (oneOf ?? anyOf) return { oneOf: (oneOf ?? anyOf).map(supported), ...defs };
    if (value !== undefined) return { const: value };
    if (values) return { enum: values };
    // A number within few is one of them: grammars know no ranges.
    if (type === "integer" && schema.maximum - schema.minimum < 100) {
        return { enum: Array.from({ length: schema.maximum - schema.minimum + 1 }, (_, at) => schema.minimum + at) };
    }
    if (type === "object") return { type, properties: mapped(properties ?? {}), ...defs };
    if (type === "array") {
        const { minItems, maxItems = 4 } = schema;
        return { type, items: items && supported(items), minItems, maxItems };
    }
    // A small model does not come to an end by itself.
    if (type === "string") return { type, maxLength: Math.min(schema.maxLength ?? 60, 60) };
    return { type };
}

function mapped(schemas) {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, supported(schema)]));
}
