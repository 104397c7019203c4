import type { ScheduledEvent, SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import type { Job } from '../../domain/shared/job.ts';
import { woken } from '../../runtimes/lambda/wake.ts';
import { type Replay, ReplayWorker } from '../../runtimes/worker/replay-worker.ts';
import { aDesk } from '../application/design/collect/desk.ts';
import { done } from '../support/outcomes.ts';

const MINUTE = 60_000;
const LOOK = { source: 'aws.events' } as ScheduledEvent;

let desk: ReturnType<typeof aDesk>;
let run: number;
let buried: unknown[];
let paused: number;
beforeEach(async () => {
  desk = aDesk();
  buried = [];
  paused = 0;
  run = await submitted();
});

const submitted = async (): Promise<number> => {
  const id = await desk.opened();
  done(await desk.submit(id));
  return id;
};

const jobs = () => desk.service.get('jobs');
const runs = () => desk.service.get('collectRuns');
const stateOf = async (id: number) => (await runs().get(id))?.run.state;

/** The event of messages with these bodies. A message's id is its index. */
const eventOf = (...bodies: readonly (string | Partial<Job>)[]): SQSEvent =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: String(n),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as SQSEvent;

const messageOf = async (id = run) => {
  const job = (await jobs().waiting(10)).find(({ subject }) => subject === id);
  return { id: job?.id ?? 0, kind: 'replay' as const, subject: id };
};

const replayed: Replay = async (permit, id) => {
  const read = await runs().get(id);
  if (read) await runs().save(permit, { ...read.run, state: 'replayed' }, read);
};
const broken: Replay = () => Promise.reject(new Error('The disk is full.'));

/** Wakes a worker that has 15 minutes. Pauses advance the clock. */
const wake = (event: SQSEvent | ScheduledEvent, replayRun = replayed) => {
  const worker = new ReplayWorker({
    jobs: jobs(),
    collectRuns: runs(),
    clock: desk.clock,
    replayRun,
    log: { info: () => {}, error: () => {} },
  });
  const pause = async (ms: number): Promise<void> => {
    paused += ms;
    desk.wait(ms / 1000);
  };
  const deadLetters = { ring: async (job: unknown) => void buried.push(job) };
  const handle = woken({ worker, jobs: jobs(), collectRuns: runs(), deadLetters, pause });
  return handle(event, { getRemainingTimeInMillis: () => 15 * MINUTE - paused });
};

const failuresOf = async (answer: ReturnType<typeof wake>): Promise<string[]> =>
  (await answer).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

describe('a worker that is a function', () => {
  test('a message wakes the worker, which does every waiting job', async () => {
    const other = await submitted();
    expect(await failuresOf(wake(eventOf(await messageOf())))).toEqual([]);
    for (const id of [run, other]) expect(await stateOf(id)).toBe('replayed');
  });

  test('a schedule wakes the worker without a message, and the call does not wait for a delayed job', async () => {
    await wake(LOOK, broken);
    expect(paused).toBe(0);
    expect(await jobs().waiting(10)).toHaveLength(1);
    desk.wait(60);
    expect(await failuresOf(wake(LOOK))).toEqual([]);
    expect(await jobs().waiting(10)).toEqual([]);
  });

  test('a message whose job is already done ends too', async () => {
    const message = await messageOf();
    await wake(LOOK);
    expect(await failuresOf(wake(eventOf(message, message)))).toEqual([]);
    expect(buried).toEqual([]);
  });

  test('a message returns while another worker has its job', async () => {
    const message = await messageOf();
    const now = desk.clock.now();
    await jobs().take(grantPermit(), now, toInstant(millis(now) + 5 * MINUTE));
    expect(await failuresOf(wake(eventOf(message)))).toEqual(['0']);
    expect(paused).toBe(3 * MINUTE);
  });

  test('a call that runs out of time hands its job back, and its messages return', async () => {
    const other = await submitted();
    const [first, second] = [await messageOf(run), await messageOf(other)];
    const slow: Replay = async (permit, id, keep) => {
      paused += 14 * MINUTE;
      if (await keep()) await replayed(permit, id, keep);
    };
    expect(await failuresOf(wake(eventOf(first, second), slow))).toEqual(['0', '1']);
    const [job] = await jobs().waiting(1);
    expect(job).toMatchObject({ subject: run, attempts: 0 });
  });

  test('a temporarily failing job is done within the same call', async () => {
    let faults = 2;
    const shaky: Replay = (...given) => {
      faults -= 1;
      return faults >= 0 ? broken(...given) : replayed(...given);
    };
    expect(await failuresOf(wake(eventOf(await messageOf()), shaky))).toEqual([]);
    expect(await stateOf(run)).toBe('replayed');
  });

  test('the message of a failed job becomes a dead letter once, and the next job is done', async () => {
    const message = await messageOf();
    const other = await submitted();
    const picky: Replay = (...given) => (given[1] === run ? broken(...given) : replayed(...given));
    expect(await failuresOf(wake(eventOf(message), picky))).toEqual([]);
    expect(buried).toEqual([message]);
    expect([await stateOf(run), await stateOf(other)]).toEqual(['failed', 'replayed']);
  });

  test.each([
    '',
    'x',
    '{}',
    '{"id":"1","kind":"replay","subject":1}',
    'null',
  ])('the unreadable message %j returns until it is a dead letter', async (body) => {
    expect(await failuresOf(wake(eventOf(body, await messageOf())))).toEqual(['0']);
  });
});
