// The variables of a URI template (RFC 6570), and their expansion.

interface Expression {
  operator: string;
  names: string[];
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

/** Returns the names of the variables, each once. */
export function variablesOf(template: string): string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap((match) => expression(match).names);
  return [...new Set(names)];
}

/** Returns the URI for these values. A variable without a value is left out. */
export function expand(template: string, values: Record<string, string>): string {
  return template.replace(EXPRESSION, (...match: string[]) => {
    const { operator, names } = expression(match);
    const given = names.filter((name) => (values[name] ?? "") !== "");
    if (given.length === 0) return "";
    const isNamed = operator === ";" || operator === "?" || operator === "&";
    const encode = operator === "+" || operator === "#" ? encodeURI : encodeURIComponent;
    const parts = given.map((name) => (isNamed ? `${name}=` : "") + encode(values[name]!));
    const separator =
      { "": ",", "+": ",", "#": ",", ".": ".", "/": "/", ";": ";", "?": "&", "&": "&" }[operator] ?? ",";
    const first = operator === "+" ? "" : operator;
    return first + parts.join(separator);
  });
}

function expression(match: ArrayLike<string>): Expression {
  // `*` and `:3` say how lists and long values are written.
  const names = (match[2] ?? "").split(",").map((name) => name.replace(/(\*|:\d+)$/, "").trim());
  return { operator: match[1] ?? "", names: names.filter((name) => name !== "") };
}
