/**
 * Parts of `node:http`. An `import` of that module would evaluate all of its exports, including Node's WebSocket and
 * with it all of fetch.
 */
export const { createServer, IncomingMessage, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');
