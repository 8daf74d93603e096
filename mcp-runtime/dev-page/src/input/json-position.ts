// Where a text stops being JSON. Browsers say so only sometimes.

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns the index of the first character that JSON cannot have there, or undefined if the text is JSON. */
export function brokenAt(text: string): number | undefined {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (character: string): boolean => {
    skip(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  /** What is open: without recursion, so that no text is too deep. */
  const open: ("{" | "[")[] = [];
  const key = () => (skip(SPACE), skip(STRING) && take(":"));
  for (;;) {
    skip(SPACE);
    const start = text[at];
    if (start === "{" || start === "[") {
      at += 1;
      if (!take(start === "{" ? "}" : "]")) {
        open.push(start);
        if (start === "{" && !key()) return at;
        continue;
      }
    } else if (!skip(STRING) && !skip(SCALAR)) return at;
    // A value has ended.
    for (;;) {
      const inside = open.at(-1);
      if (inside === undefined) {
        skip(SPACE);
        return at < text.length ? at : undefined;
      }
      if (take(",")) {
        if (inside === "{" && !key()) return at;
        break;
      }
      if (!take(inside === "{" ? "}" : "]")) return at;
      open.pop();
    }
  }
}
