// Answers in place of a service, as its document says: node mock.mjs DOCUMENT
//
// Listens at two free ports, and then writes a line with both URLs. At the first, answers are the examples of the document; at
// the second, they are made from its schemas, at random, but the same in each run. Both refuse a request that does not fit the
// document, and an own answer that does not.

import core from "@stoplight/prism-core";
import http from "@stoplight/prism-http";
import server from "@stoplight/prism-http-server";

const [document] = process.argv.slice(2);
const operations = await http.getHttpOperationsFromSpec(document);
const logger = core.createLogger("mock", { level: "silent" });
const urls = [];
for (const dynamic of [false, true]) {
  const mock = { dynamic, seed: "1" };
  const config = { validateRequest: true, validateResponse: true, checkSecurity: true, errors: true, isProxy: false, mock };
  urls.push(await server.createServer(operations, { cors: false, config, components: { logger } }).listen(0, "127.0.0.1"));
}
console.log(urls.join(" "));
