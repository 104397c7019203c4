import { describe, expect, test } from 'vitest';
import { RUN_STATES } from '../../../../domain/design/collect/run.ts';
import {
  failedRun,
  judgeOpen,
  judgeRoom,
  MAX_ASSETS,
  MAX_CAPTURES,
  newRun,
  replayJob,
  requeuedRun,
  shownStateOf,
  submittedRun,
} from '../../../../domain/design/collect/run-rules.ts';
import { millis, toInstant } from '../../../../domain/shared/instant.ts';
import { JOB_ATTEMPTS, restsUntil } from '../../../../domain/shared/job.ts';
import { NOW } from '../../../support/builders.ts';
import { AGENT, aLock, aRun, aRunInput } from '../../../support/collect-builders.ts';

const LATER = toInstant(millis(NOW) + 60_000);

describe('a collect run', () => {
  test('a new run is in state collecting and lists each viewport, language and app once', () => {
    const input = aRunInput({ viewports: ['mobile', 'mobile'], langs: ['ko', 'en', 'ko'], apps: ['core', 'core'] });
    expect(newRun(input, { id: 5, agent: AGENT }, NOW)).toMatchObject({
      state: 'collecting',
      viewports: ['mobile'],
      langs: ['ko', 'en'],
      apps: ['core'],
      submitted_at: null,
      ended_at: null,
      replay: null,
    });
    expect(newRun(aRunInput({ apps: null }), { id: 5, agent: AGENT }, NOW).apps).toBeNull();
  });

  test('a run that collects reads as expired without the lock, and as collecting with it', () => {
    expect(shownStateOf(aRun(), aLock(LATER), NOW)).toBe('collecting');
    expect(shownStateOf(aRun(), aLock(LATER), LATER)).toBe('expired');
    expect(shownStateOf(aRun(), aLock(LATER, { run_id: 6 }), NOW)).toBe('expired');
    expect(shownStateOf(aRun(), undefined, NOW)).toBe('expired');
  });

  test.each(
    RUN_STATES.filter((state) => state !== 'collecting'),
  )('a run that is %s reads so whoever holds the lock, and accepts nothing more', (state) => {
    for (const lock of [undefined, aLock(LATER), aLock(LATER, { run_id: 6 })]) {
      expect(shownStateOf(aRun({ state }), lock, NOW)).toBe(state);
      expect(judgeOpen(aRun({ state }), lock, NOW)).toMatchObject({
        ok: false,
        code: 'collect_run_closed',
        data: { run: { id: 5, state } },
      });
    }
  });

  test('an expired run accepts no further upload, and the refusal names the missing uploads as the reason', () => {
    const judged = judgeOpen(aRun(), aLock(LATER), LATER);
    expect(judged).toMatchObject({ ok: false, message: expect.stringContaining('No upload came') });
  });

  test.each([
    ['assets', MAX_ASSETS],
    ['captures', MAX_CAPTURES],
  ] as const)('a run accepts its last %s and refuses another one', (kind, most) => {
    const none = { assets: 0, captures: 0 };
    expect(judgeRoom(aRun(), { ...none, [kind]: most - 1 }, kind).ok).toBe(true);
    expect(judgeRoom(aRun(), { ...none, [kind]: most }, kind)).toMatchObject({
      ok: false,
      code: 'collect_run_closed',
      message: expect.stringContaining('5000'),
    });
  });

  test('a failed run keeps the error of its collector', () => {
    expect(failedRun(aRun(), 'No browser.', LATER)).toMatchObject({
      state: 'failed',
      ended_at: LATER,
      error: 'No browser.',
      submitted_at: null,
    });
  });

  test('a requeued run equals the submitted one, without traces of an earlier replay', () => {
    const submitted = submittedRun(aRun(), { accounts: null, build_versions: ['7'] }, NOW);
    const failed = failedRun(submitted, 'The disk was full.', LATER);
    expect(requeuedRun(failed)).toEqual(submitted);
  });

  test('the job of a run has the id of the run, so a run has at most one job', () => {
    expect(replayJob(aRun(), LATER)).toEqual({
      id: 5,
      kind: 'replay',
      subject: 5,
      agent_id: aRun().agent.id,
      queued_at: LATER,
      attempts: 0,
      free_at: LATER,
    });
  });
});

test('a job waits 10, 20, 40 and 80 seconds after its failures', () => {
  const rests = Array.from({ length: JOB_ATTEMPTS - 1 }, (_, n) => millis(restsUntil({ attempts: n + 1 }, NOW)));
  expect(rests.map((end) => (end - millis(NOW)) / 1000)).toEqual([10, 20, 40, 80]);
});
