import { beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../../domain/access/actor.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { BY_WEBHOOK, MAILING } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { at, order, PRODUCTS, refund } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';

let get: Service['get'];

beforeEach(async () => {
  const service = memoryService({ clock: aClock(), pauses: noPauses }, memoryEngines(), MAILING);
  get = service.get;
  await put(service, { accounts: [anAccount()], products: PRODUCTS });
});

const kinds = async () => (await get('messages').waiting(99)).map(({ kind }) => kind);

const passkey = { id: 'pk', account_id: 1, name: 'x', public_key: 'AA', counter: 0, transports: [], created_at: NOW };
const FIVE = { reference: 'part', amount_cents: 500, refunded_at: at(5) };
const REST = { reference: 'rest', amount_cents: 2500, refunded_at: at(6) };
const DISPUTE = { reference: 'dispute', amount_cents: 3000, cause: 'chargeback' } as const;
const WON = { ...DISPUTE, amount_cents: 0 };
const KEY = { account_id: 1, name: 'Key' };
const sell = async (...events: ReturnType<typeof order>[]) => {
  for (const event of events) done(await get('recordSale')(BY_WEBHOOK, event));
};
const change = async (permit: Permit) => {
  done(await get('createApiKey')(permit, KEY));
  done(await get('renameAccount')(permit, { account_id: 1, email: 'new@example.com' }));
};

test.each<[string, () => Promise<unknown>, string[]]>([
  ['a sale', () => sell(order()), ['order']],
  ['a sale told twice', () => sell(order(), order()), ['order']],
  ['a sale told twice at once', () => Promise.all([sell(order()), sell(order())]), ['order']],
  ['a sale that is paid later', () => sell(order({ status: 'pending', paid_at: null }), order()), ['order']],
  ['a sale that is not paid', () => sell(order({ status: 'pending', paid_at: null })), []],
  ['a refund', () => sell(order(), refund()), ['order', 'refund']],
  ['a refund told twice', () => sell(order(), refund(), refund()), ['order', 'refund']],
  [
    'a refund that failed',
    () => sell(order(), refund(), refund({ amount_cents: 0 }, 6)),
    ['order', 'refund', 'restored'],
  ],
  ['each refund of a part', () => sell(order(), refund(FIVE), refund(REST)), ['order', 'refund', 'refund']],
  [
    'each refund of a part that is told late',
    () => sell(order(), refund(REST), refund(FIVE)),
    ['order', 'refund', 'refund'],
  ],
  ['a dispute', () => sell(order(), refund(DISPUTE)), ['order']],
  [
    'a dispute that was won and is lost after all',
    () => sell(order(), refund(DISPUTE), refund(WON, 6), refund(DISPUTE, 7)),
    ['order', 'restored'],
  ],
  ['a dispute that was won', () => sell(order(), refund(DISPUTE), refund(WON, 6)), ['order', 'restored']],
  ['a sale with other facts', () => sell(order(), order({ receipt_url: 'https://example.com/r' }, 3)), ['order']],
  ['a key', async () => done(await get('createApiKey')(BY_WEBHOOK, KEY)), ['key']],
  [
    'a removed passkey',
    async () => {
      await get('passkeys').add(BY_WEBHOOK, { ...passkey, last_used_at: null }, []);
      await get('removePasskey')(BY_WEBHOOK, 1, 'pk');
    },
    ['passkey_removed'],
  ],
  [
    'another password',
    async () => done(await get('resetPassword')(BY_WEBHOOK, { account_id: 1, password: 'battery staple' })),
    ['password_changed'],
  ],
  ['a lock-out', async () => done(await get('lockOut')(BY_WEBHOOK, 1)), ['locked_out']],
  ['another name', async () => done(await get('renameAccount')(BY_WEBHOOK, { account_id: 1, name: 'Ann' })), []],
  ['another key and address', () => change(BY_WEBHOOK), ['key', 'email_changed']],
  ['the same by a script that names itself', () => change(grantPermit('nightly')), ['key', 'email_changed']],
  ['the same by the service itself', () => change(grantPermit()), []],
  ['a suspension', async () => done(await get('suspendAccount')(BY_WEBHOOK, { account_id: 1, suspended: true })), []],
])('a buyer is mailed once about %s', async (_, make, told) => {
  await make();
  expect(await kinds()).toEqual(told);
});

test('an import mails no buyers, whoever runs it', async () => {
  const by: Actor = { kind: 'command', id: 'ada', account_id: null, through: 'restore', from: null };
  await get('recordWriter').order(
    grantPermit(() => by),
    1,
    anOrder(),
  );
  expect(await kinds()).toEqual([]);
});
