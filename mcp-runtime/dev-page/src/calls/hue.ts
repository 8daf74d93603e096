// The colour of a call. Its name is always beside it.

const HUES = 8;

export function hueOf(call: string): string {
  let sum = 7;
  for (let index = 0; index < call.length; index += 1) sum = (sum * 31 + call.charCodeAt(index)) >>> 0;
  return `hue-${sum % HUES}`;
}
