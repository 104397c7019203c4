import { beforeEach, expect, test } from 'vitest';
import { NOW } from '../../../support/builders.ts';
import { AGENT } from '../../../support/collect-builders.ts';
import { done } from '../../../support/outcomes.ts';
import { passed, withoutPermit } from '../../../support/permits.ts';
import { aDesk, OTHER_AGENT } from './desk.ts';

let desk: ReturnType<typeof aDesk>;
beforeEach(() => {
  desk = aDesk();
});

test('a run opens if none collects, and holds the lock for a lease', async () => {
  const { run } = done(await desk.open());
  expect(run).toMatchObject({
    id: 1,
    state: 'collecting',
    agent: AGENT,
    opened_at: NOW,
    lease_expires_at: '2026-11-21T08:01:40.000Z',
    uploads: { assets: 0, captures: 0 },
    replay: null,
    problems: [],
  });
  expect(done(await desk.show(1)).run).toEqual(run);
});

test('a collecting run blocks every other run, even of the same agent, and is named', async () => {
  await desk.open();
  for (const agent of [AGENT, OTHER_AGENT]) {
    expect(await desk.open(agent)).toMatchObject({
      ok: false,
      code: 'collect_run_held',
      message: expect.stringContaining('Run 1 of Nightly collector'),
      data: { run: { id: 1, agent: AGENT.name, opened_at: NOW, lease_expires_at: '2026-11-21T08:01:40.000Z' } },
    });
  }
});

test('of twenty simultaneous openers one gets the lock, and the others learn its run', async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => desk.open()));
  const [winner] = opened.flatMap((outcome) => (outcome.ok ? [outcome.value.run.id] : []));
  const refused = opened.filter((outcome) => !outcome.ok);
  expect(refused).toHaveLength(19);
  for (const { data } of refused) expect(data?.['run']).toMatchObject({ id: winner });
  expect(await desk.service.get('collectRuns').newest(100)).toHaveLength(1);
});

test('a run without uploads expires when its lease ends, and the next one opens', async () => {
  await desk.open();
  desk.wait(99.999);
  expect((await desk.open(OTHER_AGENT)).ok).toBe(false);
  desk.wait(0.001);
  expect(done(await desk.show(1)).run).toMatchObject({ state: 'expired', lease_expires_at: null });
  expect((await desk.open(OTHER_AGENT)).ok).toBe(true);
});

test('an expired run stays expired after the next run has ended', async () => {
  const first = await desk.opened();
  desk.wait(100);
  const second = await desk.opened();
  await desk.fail(second);
  expect(done(await desk.show(first)).run.state).toBe('expired');
  expect(await desk.capture(first, 1)).toMatchObject({ code: 'collect_run_closed' });
  expect(await desk.submit(first)).toMatchObject({ code: 'collect_run_closed' });
});

test('a run of another agent looks nonexistent', async () => {
  const id = await desk.opened();
  const strangers = await desk.show(id, OTHER_AGENT.id);
  expect(strangers).toMatchObject({ ok: false, code: 'not_found', message: expect.stringContaining('use the id') });
  expect(await desk.show(999)).toMatchObject({ ok: false, code: 'not_found' });
});

test('no run opens for a request that a guard refused', async () => {
  const input = { viewports: ['desktop'], langs: ['en'], apps: null } as const;
  const open = (permit: Promise<never>) => passed(desk.service.get('openRun')({ caller: AGENT, body: input }), permit);
  expect(await withoutPermit((permit) => open(permit as Promise<never>))).toBe(true);
  expect(await desk.service.get('collectRuns').newest(1)).toEqual([]);
});
