import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAgent } from '../surface/agents.ts';
import { RUNS, runBody } from '../surface/captures.ts';
import { type EngineEnvironment, openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const ROUNDS = 20;
const PROCESSES = 2;
/** The time that the processes may take to start on a busy machine. */
const STARTING_MS = 180_000;
const ATTEMPTS = 20;

type Answer = {
  readonly status: number;
  readonly body: { readonly run: { readonly id: number } };
  /** True for a repeated request, whose first attempt may have succeeded too. */
  readonly repeated: boolean;
};

/** A collector's request as JSON. One that got 503 is repeated, because DynamoDB Local may be too slow on a busy machine. */
export const collectPost = async (
  server: ServerProcess,
  key: string,
  path: string,
  json: object = {},
): Promise<Answer> => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(server.design + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
    const body = (await response.json()) as Answer['body'];
    if (response.status !== 503 || attempt === ATTEMPTS) {
      return { status: response.status, body, repeated: attempt > 1 };
    }
    await sleep(Math.random() * 500);
  }
};

/**
 * Registers the test that one run at a time collects across two processes on one store. `open` prepares the store and
 * returns the variables that select it, none for SQLite.
 */
export const collectOverProcesses = (open: () => EngineEnvironment | Promise<EngineEnvironment>): void => {
  const servers: ServerProcess[] = [];
  const keys: string[] = [];
  let prepared: Prepared;

  beforeAll(async () => {
    const env = (await open()) as Record<string, string>;
    prepared = await prepareDataDir(null, env);
    const { service, close } = await openService(prepared.dataDir, env);
    for (let n = 0; n < 2; n++) keys.push((await anAgent(service, 'collect', `collector ${n}`)).key);
    await close();
    await Promise.all(
      Array.from({ length: PROCESSES }, async () => servers.push(await startServer(prepared.dataDir, env))),
    );
  }, STARTING_MS);
  afterAll(async () => {
    await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
    prepared.remove();
  });

  test('of two runs that open at once 20 times over two processes, one opens and the other learns which', async () => {
    const end = (key: string, id: number | undefined) =>
      collectPost(servers[0] as ServerProcess, key, `${RUNS}/${id}/fail`);
    for (let round = 0; round < ROUNDS; ) {
      const replies = await Promise.all(
        keys.map((key, n) => collectPost(servers[(round + n) % PROCESSES] as ServerProcess, key, RUNS, runBody)),
      );
      if (replies.some(({ repeated }) => repeated)) {
        // The round does not count. Whichever key has the run ends it.
        for (const key of keys) await end(key, replies[0]?.body.run.id);
        continue;
      }
      const winner = replies.findIndex(({ status }) => status === 201);
      const loser = replies[1 - winner];
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
      const id = replies[winner]?.body.run.id;
      expect(loser?.body.run.id).toBe(id);
      const ended = await end(keys[winner] as string, id);
      // A repeated request finds the run ended by its first attempt.
      if (!ended.repeated) expect(ended.status).toBe(200);
      round++;
    }
  }, 180_000);
};
