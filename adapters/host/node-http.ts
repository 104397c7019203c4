/**
 * Parts of `node:http`. An `import` of that module would read all of its exports, one of which is Node's WebSocket with
 * all of fetch.
 */
export const { createServer, IncomingMessage, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');
