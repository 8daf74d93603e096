// Nobody else can read anything: other web pages, other users of the machine, and who has no token.

import { createServer, request as httpRequest } from "node:http";

import { expect, test } from "./dev-program.mjs";

const ROUTES = ["/", "/api/state", "/api/events", "/api/messages", "/api/recording", "/views?uri=ui%3A%2F%2Fflights%2Fseats"];

/** Makes a request with exactly these headers. */
function raw(url, headers, method = "GET") {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url);
    const request = httpRequest({ hostname, port, path: pathname + search, method, headers, setHost: !("host" in headers) });
    request.once("response", (response) => {
      let text = "";
      response.on("data", (part) => (text += part));
      response.once("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    request.once("error", reject);
    request.end();
  });
}

test("no request without the token gets anything", async ({ program }) => {
  for (const route of ROUTES) {
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${program.token}` }]) {
      const { status, text } = await raw(program.origin + route, headers);
      expect([401, 403], route).toContain(status);
      expect(text).not.toContain("flights");
    }
  }
  // The document has its token in the address, and the interface does not take it from there.
  expect((await raw(`${program.origin}/?token=wrong`, {})).status).toBe(401);
  expect((await raw(`${program.origin}/api/state?token=${program.token}`, {})).status).toBe(401);
  expect((await raw(program.url, {})).status).toBe(200);
});

test("only the host and the origin of the page are answered", async ({ program }) => {
  const authorization = `Bearer ${program.token}`;
  const { port } = new URL(program.url);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1:1", `0.0.0.0:${port}`]) {
    expect((await raw(`${program.origin}/api/state`, { host, authorization })).status, host).toBe(403);
    expect((await raw(program.url, { host })).status, host).toBe(403);
  }
  for (const origin of ["https://evil.example", "http://127.0.0.1:1", "null"]) {
    expect((await raw(`${program.origin}/api/state`, { origin, authorization })).status, origin).toBe(403);
  }
  expect((await raw(`${program.origin}/api/state`, { "sec-fetch-site": "cross-site", authorization }, "POST")).status).toBe(403);
  expect((await raw(`${program.origin}/api/state`, { authorization })).status).toBe(200);
});

test("a page of another origin can read nothing, even with the token", async ({ program, page }) => {
  const other = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>"));
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  try {
    await page.goto(`http://127.0.0.1:${other.address().port}/`);
    const read = ([url, token]) =>
      Promise.all([
        fetch(`${url}/api/state`, { headers: { authorization: `Bearer ${token}` } }).then((it) => it.text(), () => "refused"),
        fetch(`${url}/api/state`, { mode: "no-cors" }).then((it) => it.text(), () => "refused"),
        fetch(`${url}/?token=${token}`).then((it) => it.text(), () => "refused"),
        new Promise((resolve) => {
          const events = new EventSource(`${url}/api/events?token=${token}`);
          events.onmessage = () => resolve("read");
          events.onerror = () => resolve("refused");
        }),
        new Promise((resolve) => {
          const socket = new WebSocket(`${url.replace("http", "ws")}/api/events?token=${token}`);
          socket.onopen = () => resolve("read");
          socket.onerror = () => resolve("refused");
        }),
        new Promise((resolve) => {
          const frame = Object.assign(document.createElement("iframe"), { src: `${url}/?token=${token}` });
          frame.onload = () => {
            try {
              resolve(frame.contentDocument?.body?.innerText || "refused");
            } catch {
              resolve("refused");
            }
          };
          document.body.append(frame);
        }),
      ]);
    const [cors, opaque, document_, events, socket, frame] = await page.evaluate(read, [program.origin, program.token]);
    expect([cors, document_, events, socket, frame]).toEqual(Array(5).fill("refused"));
    expect(["", "refused"]).toContain(opaque);
  } finally {
    other.close();
  }
});

test("the document loads nothing from elsewhere, and cannot be framed", async ({ program, page }) => {
  const { headers, text } = await raw(program.url, {});
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["cache-control"]).toBe("no-store");
  expect(text).not.toMatch(/(src|href)="https?:/);
  const elsewhere = [];
  page.on("request", (request) => !request.url().startsWith(program.origin) && elsewhere.push(request.url()));
  await page.goto(program.url);
  await page.getByRole("navigation").getByRole("link").first().waitFor();
  expect(elsewhere).toEqual([]);
});

test("the command listens on the loopback address only", async ({ program }) => {
  expect(new URL(program.url).hostname).toBe("127.0.0.1");
  const { networkInterfaces } = await import("node:os");
  const others = Object.values(networkInterfaces()).flat().filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of others) {
    await expect(raw(`http://${address}:${new URL(program.url).port}/`, {})).rejects.toThrow(/ECONNREFUSED/);
  }
});
