import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService } from '../processes/data-dir.ts';
import { cli, type Ran } from '../support/cli.ts';
import { AGENT, aRunInput, someFields } from '../support/collect-builders.ts';
import { done } from '../support/outcomes.ts';
import { PERMIT, passed } from '../support/permits.ts';

const UNDECLARED = { image_sha256: null, image_size: null, html_sha256: null, html_size: null };

let folder: string;
let submitted: number;
let collecting: number;

const run = (...args: string[]): Promise<Ran> => cli(['collect', ...args], { DATA_DIR: join(folder, 'data') });
const json = async (...args: string[]) => (await run(...args, '--json')).json();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-collect-'));
  const { service, close } = await openService(join(folder, 'data'));
  const open = async (agent: typeof AGENT) =>
    done(await passed(service.get('openRun')({ caller: agent, body: aRunInput() }))).run.id;
  submitted = await open(AGENT);
  const named = { caller: AGENT, params: { run: submitted } };
  done(
    await passed(
      service.get('addCapture')({
        ...named,
        body: { ...someFields(1), ...UNDECLARED },
        files: { image: null, html: null },
      }),
    ),
  );
  done(await passed(service.get('submitRun')({ ...named, body: { accounts: null, build_versions: ['7'] } })));
  collecting = await open({ id: 4, name: 'Second \u001b[31mcollector' });
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the collect list command', () => {
  test('collect list shows the runs of all agents, newest first, safe for a terminal', async () => {
    expect(await json('list')).toMatchObject([
      { id: collecting, state: 'collecting', uploads: { captures: 0 } },
      { id: submitted, state: 'submitted', agent: AGENT, uploads: { captures: 1 } },
    ]);
    expect(await json('list', '--limit', '1')).toHaveLength(1);
    const { stdout } = await run('list');
    expect(stdout).toContain(AGENT.name);
    expect(stdout).not.toContain('\u001b');
  });
});

describe('the collect show command', () => {
  test('collect show shows any run', async () => {
    expect(await json('show', String(submitted))).toMatchObject({ id: submitted, state: 'submitted', problems: [] });
    expect((await run('show', String(submitted))).stdout).toMatch(/^state +submitted$/m);
  });
});

describe('the collect replay command', () => {
  test('collect replay refuses a run that collects, and one whose replay is waiting', async () => {
    expect(await run('replay', String(collecting))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('never submitted'),
    });
    expect(await run('replay', String(submitted))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already queued or being replayed'),
    });
  });

  test('collect replay queues a run again after its replay has ended', async () => {
    const { service, close } = await openService(join(folder, 'data'));
    const now = new Date().toISOString();
    const taken = await service.get('jobs').take(await PERMIT, now, now);
    if (taken) await service.get('jobs').finish(await PERMIT, taken);
    expect(await json('replay', String(submitted))).toEqual({ id: submitted, state: 'submitted' });
    expect(await service.get('jobs').find(submitted)).toMatchObject({ subject: submitted, attempts: 0 });
    await close();
  });
});
