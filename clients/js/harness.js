/*
 * Drives the client by lines of JSON, so that all languages share the cases of ../cases.json and the tests: {"do":
 * "open", "options": {…}, "store": FOLDER} first, then {"do": "check", "at": TIME, …}. Each line is answered by {"ok":
 * VALUE} or {"error": {"status", "code", "message"}}. The clock shows `at`; a sleep takes no time. {"do": "together",
 * "calls": [LINE, …]} starts all calls at once, and its value has the answer to each line. An install or a sign-in with
 * "cancel": SECONDS is cancelled after that time. {"do": "log"} returns the lines that the client logged, {"do": "lost"}
 * the codes of the statuses with which the loss of a lease was reported, and {"do": "has", "feature": NAME} a boolean.
 */
import { createInterface } from 'node:readline';
import { Client, fileStore } from './node.js';

let now = Date.now();
/** @type {Client} */
let client;

/** @type {string[]} */
let logged = [];
/** @type {string[]} */
let lost = [];

/** @param {number | undefined} cancel */
const signalOf = (cancel) => cancel !== undefined && { signal: AbortSignal.timeout(cancel * 1000) };

/** @type {Record<string, (line: any) => unknown>} */
const CALLS = {
  open: ({ options, store }) => {
    logged = [];
    lost = [];
    const log = (/** @type {string} */ line) => logged.push(line);
    client = new Client({ ...options, store: fileStore(store), now: () => now, sleep: async () => {}, log });
    return null;
  },
  log: () => logged,
  lost: () => lost,
  has: async ({ feature }) => (await client.status()).has(feature),
  start_trial: () => client.startTrial(),
  lease: ({ options }) => client.lease({ ...options, on_lost: ({ code }) => lost.push(code) }),
  close: () => client.close(),
  together: ({ calls }) => Promise.all(calls.map(answer)),
  status: () => client.status(),
  check: () => client.check(),
  activate: ({ key }) => client.activate(key),
  release: () => client.release(),
  policy: () => client.policy(),
  updates: ({ choice }) => client.updates(choice),
  install: async ({ options, cancel }) => {
    let received = 0;
    const { plan } = await client.install({
      ...options,
      ...signalOf(cancel),
      on_progress: (bytes) => (received = bytes),
    });
    return { version: plan.version, filename: plan.filename, received };
  },
  sign_in: ({ options, cancel }) =>
    client.signIn({
      ...options,
      ...signalOf(cancel),
      on_code: (code) => process.stdout.write(`${JSON.stringify({ code })}\n`),
    }),
  offline_request: () => client.offlineRequest(),
  activate_offline: ({ file }) => client.activateOffline(file),
};

/** @param {any} line */
const answer = async (line) => {
  if (line.at) now = Date.parse(line.at);
  try {
    return { ok: (await CALLS[line.do]?.(line)) ?? null };
  } catch (thrown) {
    const { status = null, code = 'crashed', message } = /** @type {any} */ (thrown);
    return { error: { status, code, message } };
  }
};

for await (const text of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(text)))}\n`);
