// What a client does over HTTP when no answer comes: it sends the same request again. The official client leaves that to
// its `fetch`.

import { setTimeout as sleep } from 'node:timers/promises';

/** For so long. */
const LIMIT = 40_000;

/** A `fetch` that sends again what was not answered, and counts how often. */
export function patient(counts) {
  return async (url, init) => {
    const until = Date.now() + LIMIT;
    for (let pause = 50; ; pause = Math.min(2 * pause, 1_000)) {
      let failure;
      try {
        counts.requests += 1;
        const response = await fetch(url, init);
        // An answer may break off in the middle.
        const body = await response.arrayBuffer();
        const { status, statusText, headers } = response;
        if (status !== 502 && status !== 503) return new Response(body, { status, statusText, headers });
        counts[`sent again: ${status}`] += 1;
        failure = new Error(`status ${status}: ${Buffer.from(body)}`);
      } catch (error) {
        counts['sent again: no answer'] += 1;
        failure = error;
      }
      if (init.signal?.aborted || Date.now() > until) throw failure;
      await sleep(pause);
    }
  };
}
