import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_FILTER } from '../../domain/design/gallery/screen.ts';
import { ReplayWorker } from '../../runtimes/worker/replay-worker.ts';
import { anAgent } from '../surface/agents.ts';
import { aCaptureKey, aPng, captureFields, RUNS, runBody, uploadForm } from '../surface/captures.ts';
import { collectOverProcesses, collectPost } from './collect.ts';
import { openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

describe('collect runs over two processes on one SQLite file', () => collectOverProcesses(() => ({})));

describe('a collector or server that is killed', () => {
  let prepared: Prepared;
  let key: string;
  let server: ServerProcess;

  beforeAll(async () => {
    prepared = await prepareDataDir(null);
    const { service, close } = await openService(prepared.dataDir);
    key = (await anAgent(service, 'collect')).key;
    await close();
  });
  afterAll(async () => {
    await killServer(server, 'SIGKILL');
    prepared.remove();
  });

  const read = async (run: number) => {
    const headers = { Authorization: `Bearer ${key}` };
    const { run: shown } = (await (await fetch(`${server.design}${RUNS}/${run}`, { headers })).json()) as {
      run: { state: string; replay: { done: number; total: number; screens_added: number } | null };
    };
    return shown;
  };
  const capture = async (run: number, n: number): Promise<number> => {
    const form = uploadForm(captureFields({ key: aCaptureKey(n), url: `https://app.example.com/${n}` }), {
      image: aPng(1000 + n),
    });
    const request = { method: 'POST', headers: { Authorization: `Bearer ${key}` }, body: form };
    const response = await fetch(`${server.design}${RUNS}/${run}/captures`, request);
    await response.text();
    return response.status;
  };

  test('a killed collector releases the lock when its lease ends, and its run stays expired', async () => {
    server = await startServer(prepared.dataDir, { COLLECT_LEASE_SECONDS: '2' });
    const dead = (await collectPost(server, key, RUNS, runBody)).body.run.id;
    expect(await capture(dead, 1)).toBe(201);
    expect((await collectPost(server, key, RUNS, runBody)).status).toBe(409);
    await expect.poll(async () => (await read(dead)).state).toBe('expired');
    const next = await collectPost(server, key, RUNS, runBody);
    expect(next.status).toBe(201);
    expect(await capture(dead, 2)).toBe(409);
    expect((await collectPost(server, key, `${RUNS}/${dead}/submit`)).status).toBe(409);
    expect(await killServer(server, 'SIGTERM')).toBe(0);
    server = await startServer(prepared.dataDir);
    expect((await read(dead)).state).toBe('expired');
    await expect.poll(async () => (await read(next.body.run.id)).state).toBe('expired');
  });

  test('a replay of a killed server continues where it was, and every capture becomes one screen', async () => {
    const total = 25;
    const run = (await collectPost(server, key, RUNS, runBody)).body.run.id;
    for (let n = 1; n <= total; n++) expect(await capture(run, n)).toBe(201);
    await collectPost(server, key, `${RUNS}/${run}/submit`);
    await expect.poll(async () => (await read(run)).replay?.done ?? 0, { interval: 10 }).toBeGreaterThan(0);
    await killServer(server, 'SIGKILL');

    const { service, close } = await openService(prepared.dataDir);
    const left = (await service.get('collectRuns').get(run))?.run;
    expect([left?.state, (left?.replay?.done ?? total) < total]).toEqual(['replaying', true]);
    // A worker whose clock is past the lease of the dead one takes the job, as any worker does a minute later.
    const clock = { now: () => new Date(Date.now() + 61_000).toISOString() };
    const parts = {
      jobs: service.get('jobs'),
      collectRuns: service.get('collectRuns'),
      replayRun: service.get('replayRun'),
    };
    const quiet = { info: () => {}, error: () => {} };
    const soon = new ReplayWorker({ ...parts, clock: { now: () => new Date().toISOString() }, log: quiet });
    expect(await soon.workOnce()).toBe('busy');
    expect(await new ReplayWorker({ ...parts, clock, log: quiet }).workOnce()).toBe('done');
    const done = (await service.get('collectRuns').get(run))?.run;
    expect([done?.state, done?.replay?.done]).toEqual(['replayed', total]);
    const page = await service.get('gallery').search(NO_FILTER, 'newest', { page: 1, per_page: 1 });
    expect(page.total).toBe(total);
    await close();
  }, 120_000);

  test('a server replays the runs of its store, and stops on SIGTERM in the middle of a replay without counting it', async () => {
    server = await startServer(prepared.dataDir);
    const run = (await collectPost(server, key, RUNS, runBody)).body.run.id;
    for (let n = 1; n <= 25; n++) expect(await capture(run, n)).toBe(201);
    await collectPost(server, key, `${RUNS}/${run}/submit`);
    await expect.poll(async () => (await read(run)).state, { interval: 10 }).toBe('replaying');
    expect(await killServer(server, 'SIGTERM')).toBe(0);
    const { service, close } = await openService(prepared.dataDir);
    const job = await service.get('jobs').find(run);
    await close();
    if (job) expect(job.attempts).toBe(0);
    server = await startServer(prepared.dataDir);
    await expect.poll(async () => (await read(run)).state, { timeout: 60_000 }).toBe('replayed');
  }, 120_000);
});
