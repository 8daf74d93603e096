// Answers in place of a service, as its document says: node mock.mjs DOCUMENT PORT OTHER_PORT
//
// At PORT, answers are the examples of the document; at OTHER_PORT, they are made from its schemas, at random, but the same in
// each run. Both refuse a request that does not fit the document, and an own answer that does not. When they listen, the
// program writes a line.

import core from "@stoplight/prism-core";
import http from "@stoplight/prism-http";
import server from "@stoplight/prism-http-server";

const [document, ...ports] = process.argv.slice(2);
const operations = await http.getHttpOperationsFromSpec(document);
const logger = core.createLogger("mock", { level: "silent" });
for (const [index, port] of ports.entries()) {
  const mock = { dynamic: index === 1, seed: "1" };
  const config = { validateRequest: true, validateResponse: true, checkSecurity: true, errors: true, isProxy: false, mock };
  await server.createServer(operations, { cors: false, config, components: { logger } }).listen(Number(port), "127.0.0.1");
}
console.log(`${document}: ${operations.length} operations`);
