import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BodyPace } from '../../adapters/host/body-pace.ts';

const pace = { bytesPerSecond: 10_000, graceMs: 100 };

test('a body that stalls is refused after the grace period, and not before', async () => {
  const from = performance.now();
  await new Promise<void>((resolve) => new BodyPace(pace, resolve));
  expect(performance.now() - from).toBeGreaterThan(90);
});

test('a body at the minimum rate may take far longer than the grace period', async () => {
  let isTooSlow = false;
  const body = new BodyPace({ ...pace, graceMs: 1000 }, () => {
    isTooSlow = true;
  });
  for (let n = 0; n < 36; n++) {
    await sleep(40);
    body.took(1000);
  }
  expect(isTooSlow).toBe(false);
  body.end();
});

test('bytes that arrived fast allow no longer pause than the grace period', async () => {
  const from = performance.now();
  await new Promise<void>((resolve) => new BodyPace(pace, resolve).took(100_000_000));
  expect(performance.now() - from).toBeLessThan(2000);
});

test('a body with a total time limit is refused after it, however fast its bytes arrive', async () => {
  const ended = Promise.withResolvers<void>();
  const body = new BodyPace({ ...pace, mostMs: 200 }, ended.resolve);
  const sending = setInterval(() => body.took(100_000), 10);
  await ended.promise;
  clearInterval(sending);
});

test('a body that has ended is no longer timed', async () => {
  new BodyPace(pace, () => expect.unreachable()).end();
  await sleep(150);
});
