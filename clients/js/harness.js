/*
 * Drives the client by lines of JSON, so that the cases of ../cases.json and the tests of all languages are the same:
 * {"do": "open", "options": {…}, "store": FOLDER} first, then {"do": "check", "at": TIME, …}. Each line is answered by
 * {"ok": VALUE} or {"error": {"status", "code", "message"}}.
 */
import { createInterface } from 'node:readline';
import { Client, fileStore } from './node.js';

let now = Date.now();
/** @type {Client} */
let client;

/** @type {Record<string, (line: any) => unknown>} */
const CALLS = {
  open: ({ options, store }) => {
    client = new Client({ ...options, store: fileStore(store), now: () => now, sleep: async () => {} });
    return null;
  },
  status: () => client.status(),
  check: () => client.check(),
  activate: ({ key }) => client.activate(key),
  release: () => client.release(),
  policy: () => client.policy(),
  updates: ({ wish }) => client.updates(wish),
  install: async ({ options }) => {
    let received = 0;
    const { plan } = await client.install({ ...options, on_progress: (bytes) => (received = bytes) });
    return { version: plan.version, filename: plan.filename, received };
  },
  sign_in: ({ options }) =>
    client.signIn({ ...options, on_code: (code) => process.stdout.write(`${JSON.stringify({ code })}\n`) }),
  offline_request: () => client.offlineRequest(),
  activate_offline: ({ file }) => client.activateOffline(file),
};

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  if (line.at) now = Date.parse(line.at);
  try {
    const ok = (await CALLS[line.do]?.(line)) ?? null;
    process.stdout.write(`${JSON.stringify({ ok })}\n`);
  } catch (thrown) {
    const { status = null, code = 'crashed', message } = /** @type {any} */ (thrown);
    process.stdout.write(`${JSON.stringify({ error: { status, code, message } })}\n`);
  }
}
