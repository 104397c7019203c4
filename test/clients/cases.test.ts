import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesDocument } from './cases.ts';
import { Harness, installLanguages, LANGUAGES, LANGUAGES_TIMEOUT } from './harness.ts';

const FILE = join(import.meta.dirname, '..', '..', 'clients', 'cases.json');

type Answers = Readonly<Record<string, { status: number; body: unknown; headers?: Record<string, string> }>>;

test('the shared cases are those that the rules of the service make', async () => {
  await expect(casesDocument()).toMatchFileSnapshot(FILE);
});

const { options, cases } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  options: object;
  cases: {
    name: string;
    options?: object;
    steps: ({ answers?: Answers; expect: object; do: string; options?: object } & object)[];
  }[];
};

let answers: Answers = {};
let server: Server;
let folder: string;

beforeAll(async () => {
  await installLanguages();
  folder = mkdtempSync(join(tmpdir(), 'account-service-clients-'));
  server = createServer((request, response) => {
    const answer = answers[`${request.method} ${request.url}`];
    if (!answer) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
}, LANGUAGES_TIMEOUT);
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.keys(LANGUAGES))('the client in %s', (language) => {
  let harness: Harness;
  beforeAll(() => {
    harness = new Harness(language);
  });
  afterAll(() => harness.close());

  test.each(cases)('$name', async (one) => {
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = mkdtempSync(join(folder, 'store-'));
    const given = { api, ...options, ...one.options };
    expect(await harness.ask({ do: 'open', options: given, store })).toEqual({ ok: null });
    for (const [n, { answers: scripted = {}, expect: expected, ...step }] of one.steps.entries()) {
      answers = scripted;
      const line = step.do === 'open' ? { ...step, store, options: { ...given, ...step.options } } : step;
      const said = await harness.ask(line);
      const whole = 'ok' in expected || 'error' in said ? said : (said.ok ?? {});
      expect(whole, `step ${n + 1}, ${step.do}`).toMatchObject(expected);
    }
  });
});
