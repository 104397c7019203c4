import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { PaymentEvent } from '../../domain/sales/payment-event.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { examine } from '../../runtimes/doctor/doctor.ts';
import { openService } from '../processes/data-dir.ts';
import { cli, type Ran } from '../support/cli.ts';
import { URLS } from '../support/doctored-store.ts';
import { shopEvent, shopOrder } from '../support/payment-bodies.ts';

const WHY = 'The store document maps no such price.';

let folder: string;
let env: Readonly<Record<string, string>>;

const run = (...args: string[]): Promise<Ran> => cli(args, env);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-event-'));
  env = { DATA_DIR: join(folder, 'data'), SHOP_WEBHOOK_SECRET: 'a-secret-of-the-shop' };
  const { service, close } = await openService(join(folder, 'data'));
  const event = {
    provider: 'shop',
    type: 'order',
    received_at: toInstant(Date.now() - 60_000),
    account_id: null,
    body: JSON.stringify(shopEvent('order', shopOrder({ lines: [] }))),
  };
  const save = (
    id: string,
    state: PaymentEvent['state'],
    reason: string | null,
    received_at = event.received_at,
    buyer?: string,
  ) => service.get('paymentEvents').save(grantPermit(), { ...event, id, state, reason, received_at, buyer });
  await save('evt_done', 'done', null);
  await save('evt_part', 'done', 'Line 2 is of no product.', toInstant(Date.now() - 30_000));
  await save('evt_hour', 'waiting', 'No event has told about cus_1 yet.', toInstant(Date.now() - 3_600_000));
  await save('evt_waits', 'waiting', 'No event has told about cus_2 yet.');
  await save('evt_refused', 'refused', WHY, toInstant(Date.now()), 'ada@example.com');
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the event commands', () => {
  test('event list shows the events, newest first, with the buyer’s address of open ones', async () => {
    const listed = await run('event', 'list', '--json');
    expect(listed.json().map(({ id }: { id: string }) => id)).toEqual([
      'evt_refused',
      'evt_part',
      'evt_waits',
      'evt_done',
      'evt_hour',
    ]);
    const { stdout } = await run('event', 'list', '--refused');
    expect(stdout).toMatch(
      /^\S+ +shop +evt_refused +order +refused +The store document maps no such price\. +ada@example\.com$/m,
    );
    expect(stdout).toContain('evt_part');
    expect(stdout).not.toMatch(/evt_done|evt_waits/);
    const open = await run('event', 'list', '--open', '--json');
    expect(open.json().map(({ id }: { id: string }) => id)).not.toContain('evt_done');
    expect(open.json()).toHaveLength(4);
  });

  test('the doctor names refused, partly recorded and long-waiting events with the remedy', async () => {
    const findings = await examine(env, () => URLS);
    expect(findings.filter(({ check }) => check === 'webhooks').map(({ message }) => message)).toEqual([
      `Sales are not recorded: shop evt_refused (${WHY}). Mend what the events name, then run: event replay --refused`,
      'Sales are recorded in part: shop evt_part (Line 2 is of no product.). Mend what the events name, then run: event replay --refused',
      'Events have waited for an hour for what another event tells: shop evt_hour (No event has told about cus_1 yet.). Let the provider send that event again, and turn on all events of the provider',
    ]);
  });

  test('event replay runs all refused events again, or one by its id, and shows each result', async () => {
    const { code, stdout } = await run('event', 'replay', '--refused');
    expect([code, stdout.split('\n')[0]]).toEqual([0, '2 events replayed:']);
    expect(stdout).toMatch(/evt_refused +order +refused +The event's lines is not as documented/);
    expect((await run('event', 'replay', 'evt_done', '--json')).json()).toMatchObject([{ id: 'evt_done' }]);
  });

  test('event replay needs the provider’s secret, as on the server', async () => {
    const { code, stderr } = await cli(['event', 'replay', 'evt_refused'], { ...env, SHOP_WEBHOOK_SECRET: '' });
    expect([code, stderr]).toEqual([
      1,
      'The events of shop can’t be read without its webhook secret; set it as the server has it.\n',
    ]);
  });

  test.each([
    [['evt_none'], 1, 'There is no event evt_none'],
    [[], 2, 'name one event, or give --refused'],
    [['evt_done', '--refused'], 2, 'name one event, or give --refused'],
  ])('event replay %j is refused', async (args, exitCode, why) => {
    const { code, stderr } = await run('event', 'replay', ...args);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(why);
  });
});
