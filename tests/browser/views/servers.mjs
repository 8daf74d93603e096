// The servers of the tests of views: a page that is a host, its sandbox, and servers that count what reaches them.

import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = path.join(here, '../../..');
const programs = path.dirname(process.env.CHAT ?? path.join(root, 'target/debug/chat'));

const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => resolve(server));
  });
const urlOf = (server, name = '127.0.0.1') => `http://${name}:${server.address().port}`;

/** A server that allows every origin, and counts its requests and connections. */
export async function countingServer(pages = {}) {
  const requests = [];
  const server = await listen((asked, reply) => {
    const page = pages[asked.url];
    if (page === undefined) requests.push(asked.url);
    reply.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': page ? 'text/html' : 'text/plain' });
    reply.end(page ?? 'ok');
  });
  const counted = { requests, connections: 0, url: urlOf(server), close: () => close(server) };
  server.on('connection', () => (counted.connections += 1));
  return counted;
}

/** A server that counts the packets of WebRTC. */
export async function countingStun() {
  const socket = createSocket('udp4');
  const counted = { packets: 0, close: () => socket.close() };
  socket.on('message', () => (counted.packets += 1));
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return Object.assign(counted, { port: socket.address().port });
}

function close(server) {
  server.closeAllConnections();
  server.close();
}

/** The policy of a view, as the specification has it. */
function policyOf({ connectDomains = [], resourceDomains = [] }, host) {
  const origins = (list, none = '') => list.filter((one) => /^(https?|wss?):\/\/[a-z0-9.-]+(:\d+)?$/i.test(one)).join(' ') || none;
  const resources = origins(resourceDomains);
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${resources}`,
    `style-src 'unsafe-inline' ${resources}`,
    `img-src data: ${resources}`,
    `connect-src ${origins(connectDomains, "'none'")}`,
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    `frame-ancestors ${host}`,
  ].join('; ');
}

/** Starts an example that serves MCP over HTTP. */
export async function startExample(name, args = [], env = {}) {
  const child = spawn(path.join(programs, name), [...args, 'http', '--addr', '127.0.0.1:0'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    let said = '';
    child.stderr.on('data', (part) => {
      said += part;
      const found = /serving MCP clients at (http:\S+\/mcp)\n/.exec(said);
      if (found) resolve(new URL(found[1]));
    });
  });
  child.removeAllListeners('exit');
  return { url, close: () => child.kill() };
}

/** Starts a host page in front of this example. The host and its sandbox are different sites. */
export async function startHost(example) {
  const bundled = await build({
    entryPoints: [path.join(here, 'host.src.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
    logLevel: 'error',
  });
  const script = bundled.outputFiles[0].text;
  let hostUrl;
  const sandbox = await listen((asked, reply) => {
    const { pathname, searchParams } = new URL(asked.url, 'http://sandbox');
    if (pathname !== '/sandbox.html' || searchParams.get('host') !== hostUrl) return reply.writeHead(404).end();
    const policy = policyOf(JSON.parse(searchParams.get('csp')), hostUrl);
    reply.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy, 'referrer-policy': 'no-referrer' });
    reply.end(readFileSync(path.join(here, 'sandbox.html')));
  });
  // The example allows no page of another origin, so the host's server passes the messages on.
  const host = await listen((asked, reply) => {
    if (asked.url === '/mcp') {
      const { origin, host, referer, ...headers } = asked.headers;
      for (const name of Object.keys(headers)) if (name.startsWith('sec-')) delete headers[name];
      const passed = request(example.url, { method: asked.method, headers }, (answer) => {
        reply.writeHead(answer.statusCode, answer.headers);
        answer.pipe(reply);
      });
      passed.on('error', () => reply.destroy());
      reply.on('close', () => passed.destroy());
      asked.pipe(passed);
    } else if (asked.url === '/host.js') {
      reply.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else {
      reply.writeHead(200, { 'content-type': 'text/html' });
      reply.end('<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><body><script src="/host.js"></script></body></html>');
    }
  });
  hostUrl = urlOf(host, 'localhost');
  const sandboxUrl = `${urlOf(sandbox)}/sandbox.html`;
  return {
    url: `${hostUrl}/?sandbox=${encodeURIComponent(sandboxUrl)}`,
    origin: hostUrl,
    close: () => [host, sandbox].forEach(close),
  };
}

/** The inner frame of a view. Playwright learns of its URL later than the page does. */
export async function innerFrame(page, outer) {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const frame = page.frames().find((frame) => frame.url() === 'about:srcdoc' && (!outer || frame.parentFrame()?.url().includes(outer)));
    if (frame) return frame;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the view has no inner frame');
}

/**
 * Presses a control in a view. Without the mouse: after a frame has got its size, the browser can look for what is below the
 * mouse at the old places, and the click is lost.
 */
export const press = (control) => control.dispatchEvent('click');

/** Presses Enter in a view that goes with it. Not awaited: the browser may never say that a view that is gone has got a key. */
export const pressEnter = (page) => void page.keyboard.press('Enter').catch(() => {});

/** A script that tries every way out of a view. Its result is in `window.tried`. */
export const WAYS_OUT = ({ other, declared, stun }) => `
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
  const fails = (work) => work().then(() => "done", (error) => "blocked: " + error.name);
  const loads = (name, attribute, url) => new Promise((resolve) => {
    const element = document.createElement(name);
    element.onload = () => resolve("done");
    element.onerror = () => resolve("blocked");
    element[attribute] = url;
    document.head.append(element);
  });
  window.tried = (async () => ({
    declared: await fails(() => fetch("${declared}/declared")),
    fetch: await fails(() => fetch("${other}/fetch")),
    image: await loads("img", "src", "${other}/image.png"),
    script: await loads("script", "src", "${other}/a.js"),
    hints: ["preconnect", "dns-prefetch", "prefetch", "modulepreload"].map((rel) => {
      const link = document.createElement("link");
      Object.assign(link, { rel, href: "${other}/" + rel });
      document.head.append(link);
      return rel;
    }),
    beacon: navigator.sendBeacon("${other}/beacon", "x"),
    socket: await new Promise((resolve) => {
      try {
        const socket = new WebSocket("${other.replace('http', 'ws')}/socket");
        socket.onopen = () => resolve("done");
        socket.onerror = () => resolve("blocked");
      } catch (error) { resolve("blocked: " + error.name); }
    }),
    worker: await new Promise((resolve) => {
      try {
        const worker = new Worker(URL.createObjectURL(new Blob(["fetch('${other}/worker').then(() => postMessage(1))"])));
        worker.onmessage = () => resolve("done");
        worker.onerror = () => resolve("blocked");
      } catch (error) { resolve("blocked: " + error.name); }
    }),
    nested: await new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.srcdoc = "<script>fetch('${other}/nested').then(() => parent.postMessage('done', '*'), () => parent.postMessage('blocked', '*'))</" + "script>";
      addEventListener("message", ({ data }) => typeof data === "string" && resolve(data));
      document.body.append(frame);
    }),
    eval: await fails(async () => eval("1 + 1")),
    rtc: await fails(async () => {
      const connection = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${stun}" }] });
      connection.createDataChannel("x");
      await connection.setLocalDescription(await connection.createOffer());
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }),
    violations,
  }))();`;

/** A script that tries to reach the page around a view. Its result is in \`window.reached\`. */
export const WAYS_UP = (other) => `
  const tried = (work) => { try { return String(work()); } catch (error) { return "blocked: " + error.name; } };
  window.reached = {
    cookie: tried(() => document.cookie),
    localStorage: tried(() => localStorage.length),
    sessionStorage: tried(() => sessionStorage.length),
    indexedDB: tried(() => indexedDB.open("x")),
    parent: tried(() => parent.document.title),
    top: tried(() => top.document.title),
    topStorage: tried(() => top.localStorage.length),
    topAddress: tried(() => top.location.href),
  };
  tried(() => { top.location.href = "${other}/top"; });
  tried(() => { parent.location.href = "${other}/parent"; });
  tried(() => window.open("${other}/popup"));
  tried(() => {
    const form = document.createElement("form");
    Object.assign(form, { action: "${other}/form", method: "post", target: "_top" });
    document.body.append(form);
    form.submit();
  });
  tried(() => alert("x"));`;
