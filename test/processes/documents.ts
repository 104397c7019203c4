import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Agent, anAgent } from '../surface/agents.ts';
import { type EngineEnvironment, openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const PROCESSES = 3;
const REVIEWERS = 4;
/** The time that the processes may take to start on a busy machine. */
const STARTING_MS = 180_000;
const ATTEMPTS = 10;
const RACES = 5;

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The number of repeated requests. */
let repeats = 0;

/** Sends a request, and repeats one that got 503, because DynamoDB Local may be too slow on a busy machine. */
const post = async (url: string, path: string, { key }: Agent, json?: object, attempt = 1): Promise<Answer> => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, ...(json && { 'Content-Type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  const body = (await response.json()) as Answer['body'];
  if (response.status !== 503 || attempt === ATTEMPTS) return { status: response.status, body };
  repeats++;
  await sleep(Math.random() * 1000);
  return post(url, path, { key, id: 0 }, json, attempt + 1);
};

/**
 * Runs a race on its own document. If a request was repeated, runs it again on another one, because the first attempt
 * may have succeeded too.
 */
const undisturbed = async <T>(name: string, race: (slug: string) => Promise<T>): Promise<T> => {
  for (let n = 1; ; n++) {
    const before = repeats;
    const result = await race(`${name}-${n}`);
    if (repeats === before || n === RACES) return result;
  }
};

/**
 * Registers the tests that several processes on one store record one verdict on a version, lose no approved version and
 * give each draft its own number. `open` prepares the store and returns the variables that select it, none for SQLite.
 */
export const documentsOverProcesses = (open: () => EngineEnvironment | Promise<EngineEnvironment>): void => {
  const servers: ServerProcess[] = [];
  let prepared: Prepared;
  let writer: Agent;
  let reviewers: Agent[];

  beforeAll(async () => {
    const env = (await open()) as Record<string, string>;
    prepared = await prepareDataDir(null, env);
    const { service, close } = await openService(prepared.dataDir, env);
    writer = await anAgent(service, 'write');
    reviewers = await Promise.all(Array.from({ length: REVIEWERS }, () => anAgent(service, 'review')));
    await close();
    await Promise.all(
      Array.from({ length: PROCESSES }, async () => servers.push(await startServer(prepared.dataDir, env))),
    );
  }, STARTING_MS);
  afterAll(async () => {
    await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
    prepared.remove();
  });

  const design = (n: number): string => (servers[n % PROCESSES] as ServerProcess).design;
  const write = (slug: string, n = 0) =>
    post(design(n), `/api/agent/docs/${slug}/versions`, writer, { body: `# Text ${n}\n`, base_version: 0 });
  const submit = (slug: string, number: number) =>
    post(design(number), `/api/agent/docs/${slug}/versions/${number}/submit`, writer);
  const judge = (slug: string, version: number, verdict: string, n: number) =>
    post(design(n), '/api/agent/reviews', reviewers[n % REVIEWERS] as Agent, {
      slug,
      version,
      verdict,
      reason: `Reviewer ${n}.`,
    });
  const withStatus = (answers: readonly Answer[], status: number) => answers.filter((one) => one.status === status);

  test('of two simultaneous verdicts on one version in two processes, one is recorded and the other is 409', async () => {
    for (const name of ['one', 'two', 'three']) {
      const answers = await undisturbed(name, async (slug) => {
        await write(slug);
        await submit(slug, 1);
        return Promise.all([judge(slug, 1, 'approved', 0), judge(slug, 1, 'rejected', 1)]);
      });
      const [done, late] = [withStatus(answers, 200)[0], withStatus(answers, 409)[0]];
      expect(done?.body).toMatchObject({
        version: { state: late?.body['state'], review: { verdict: late?.body['state'] } },
      });
    }
  }, 120_000);

  test('20 simultaneous drafts get the numbers 1 to 20, and one of their approvals makes a version current', async () => {
    const { numbers, answers } = await undisturbed('race', async (slug) => {
      const drafts = await Promise.all(Array.from({ length: 20 }, (_, n) => write(slug, n)));
      const numbers = drafts.map(({ body }) => (body['version'] as { number: number }).number).sort((a, b) => a - b);
      for (const number of numbers.slice(0, 8)) await submit(slug, number);
      const judged = numbers.slice(0, 8).map((number, n) => judge(slug, number, 'approved', n));
      return { numbers, answers: await Promise.all(judged) };
    });
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    const [done, ...more] = withStatus(answers, 200);
    expect([done, more]).toEqual([expect.anything(), []]);
    const { current_version } = done?.body['document'] as { current_version: number };
    expect(withStatus(answers, 409).map(({ body }) => body['current_version'])).toEqual(Array(7).fill(current_version));
  }, 120_000);
};
