import { beforeEach, describe, expect, test } from 'vitest';
import type { Table, Write } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { NoticeSettings } from '../../../domain/catalog/notify.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, aProduct, aSubscription, NOW } from '../../support/builders.ts';
import { addMember, MEMBER } from '../../support/console.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { aMailer, BY_WEBHOOK, MAILING, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { aReport } from '../../support/report-builders.ts';
import { memoryService } from '../../support/service.ts';
import { deliverAll } from '../../support/webhooks.ts';

const TO = 'owner@example.com';
const EVENT = {
  provider: 'stripe',
  id: 'evt_1',
  type: 'charge',
  received_at: NOW,
  account_id: null,
  body: '{}',
} as const;
const REFUSED = { ...EVENT, state: 'refused', reason: 'There is no product for buyer-1@example.com.' } as const;

const later = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

describe('notices to the shop', () => {
  const clock = aClock();
  let engines: ReturnType<typeof memoryEngines>;
  let mailer: ReturnType<typeof aMailer>;
  let service: Service;

  const open = (table: Table = engines.table) => memoryService({ clock, mailer }, { ...engines, table }, MAILING);

  const set = async (notify: NoticeSettings) => {
    await service.get('changeStorefront')(grantPermit(), { notify, time_zone: 'Europe/Berlin' });
  };

  beforeEach(async () => {
    clock.at = NOW;
    engines = memoryEngines();
    mailer = aMailer();
    service = open();
    await put(service, { accounts: [anAccount()] });
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: aProduct({ id: 1 }) });
  });

  const saveOrder = (id: number, fields = {}) =>
    service.get('billingRecords').saveOrder(BY_WEBHOOK, anOrder({ id, number: `O-${id}`, paid_at: NOW, ...fields }));

  const openTicket = (id: number, withdrawal = {}) =>
    service
      .get('tickets')
      .open(
        BY_WEBHOOK,
        { ...aReport(), id, account_id: 1, status: 'open', created_at: NOW, ...withdrawal },
        'report',
        { opening: undefined, version: null },
        undefined,
      );

  const saveSubscription = (fields = {}) => service.get('grants').saveSubscription(BY_WEBHOOK, aSubscription(fields));

  /** The notices that were mailed to the owner. */
  const mailed = async () => {
    await deliverAll(service);
    await sendAll(service);
    return mailer.sent.filter(({ to }) => to === TO);
  };

  const subjects = async () => (await mailed()).map(({ subject }) => subject);

  test.each<[string, () => Promise<unknown>, RegExp[]]>([
    ['a paid order', () => saveOrder(5), [/^Sale: O-5 · .+ · \$/]],
    ['an order that nobody paid', () => saveOrder(5, { status: 'pending', paid_at: null }), []],
    ['an imported order of last year', () => saveOrder(5, { paid_at: '2025-11-21T08:00:00.000Z' }), []],
    [
      'a dispute',
      () =>
        saveOrder(5, {
          status: 'disputed',
          refunds: [{ refunded_at: NOW, item_ids: null, keeps_access: false, reason: 'x', kind: 'dispute' }],
        }),
      [/^Dispute: O-5/],
    ],
    [
      'a dispute about an order that was refunded, which the shop then wins',
      async () => {
        const back = { refunded_at: NOW, item_ids: null, keeps_access: false, reason: null };
        await saveOrder(5, { refunds: [back] });
        await saveOrder(5, { refunds: [back, { ...back, kind: 'dispute' }] });
        await saveOrder(5, { refunds: [] });
      },
      [/^Dispute: O-5/],
    ],
    [
      'a withdrawal and its ticket',
      async () => {
        await saveOrder(5, { withdrawal: { declared_at: NOW, ticket_id: 7 } });
        await openTicket(7, { withdrawal: { order_id: 5, order_number: 'O-5' } });
      },
      [/^Withdrawal: O-5/],
    ],
    [
      'a renewal that fails, and is tried again',
      async () => {
        await saveSubscription();
        await saveSubscription({ status: 'past_due' });
        await saveSubscription({ status: 'past_due', grace_days: 9 });
      },
      [/^Failed renewal: /],
    ],
    ['a ticket', () => openTicket(7), [/^Ticket: ...-... · /]],
    [
      'a refused event',
      () => service.get('paymentEvents').save(BY_WEBHOOK, REFUSED),
      [/^Payment not recorded: stripe evt_1$/],
    ],
    [
      'an event that is refused again for the same reason',
      async () => {
        await service.get('paymentEvents').save(BY_WEBHOOK, REFUSED);
        await service.get('paymentEvents').save(BY_WEBHOOK, REFUSED, REFUSED);
      },
      [/^Payment not recorded/],
    ],
  ])('%s is sent in as many mails as needed and names no buyer', async (_, change, told) => {
    await set({ to: [TO], sale: 'at_once', failed_renewal: 'at_once' });
    await change();
    const found = await subjects();
    expect(found).toEqual(told.map((pattern) => expect.stringMatching(pattern)));
    for (const { text, html } of mailer.sent) expect(text + html).not.toMatch(/buyer-1@|user1@/);
  });

  test('a notice links to its subject in the console and to the notice settings', async () => {
    await set({ to: [TO], sale: 'at_once' });
    await saveOrder(5);
    const [mail] = await mailed();
    expect(mail?.text).toContain('A customer has paid for an order.');
    expect(mail?.text).toMatch(/Open the console:\nhttps?:\/\/\S+\/orders\/id:5\n/);
    expect(mail?.text).toMatch(/Choose your notices:\nhttps?:\/\/\S+\/notices\n/);
  });

  test('a member’s mail has only the links that its role may open', async () => {
    await put(service, { accounts: [anAccount({ id: 2, email: 'desk@example.com' })] });
    await addMember(service, 'support', { ...MEMBER, account_id: 2 });
    await openTicket(7);
    await mailed();
    await set({ to: [TO, 'desk@example.com'], sale: 'at_once' });
    await saveOrder(5);
    await mailed();
    const linksOf = (to: string) =>
      mailer.sent.filter((mail) => mail.to === to).map(({ text }) => text.match(/(?<=https?:\/\/[^/\s]+)\/\S*/g));
    expect(linksOf('desk@example.com')).toEqual([['/tickets/7'], ['/']]);
    expect(linksOf(TO)).toEqual([['/orders/id:5', '/notices']]);
  });

  test('the notice about a ticket of an erased account has only its number', async () => {
    await set({ to: [TO] });
    await openTicket(7);
    await deliverAll(service);
    done(await service.get('eraseAccount')(grantPermit(), { account_id: 1 }));
    expect(await subjects()).toEqual([expect.stringMatching(/^Ticket: \w{3}-\w{3}$/)]);
  });

  test('without an address or without mail, no notice is sent and no event is written', async () => {
    await set({ to: [TO], sale: 'never' });
    await saveOrder(5);
    expect(await subjects()).toEqual([]);
    service = memoryService({ clock, mailer }, engines, { mail: null });
    await set({ to: [TO], sale: 'at_once' });
    await saveOrder(6);
    expect((await engines.table.query({ pk: 'WEBHOOKEVENTS' })).items).toEqual([]);
    expect(await subjects()).toEqual([]);
  });

  test('a delayed mail drops the kinds that its address no longer wants, and is not sent to a removed member', async () => {
    await set({ to: [TO, 'former@example.com'] });
    await saveOrder(1);
    await openTicket(7);
    await deliverAll(service);
    clock.at = later(60 * 24 * 3);
    await deliverAll(service);
    await set({ to: [TO], ticket: 'never' });
    expect(await subjects()).toEqual(['Daily summary: Sale (1)']);
    expect(mailer.sent).toHaveLength(1);
  });

  test('two workers that queue and send at the same time send each notice once', async () => {
    await set({ to: [TO], sale: 'at_once' });
    for (let id = 1; id <= 5; id++) await saveOrder(id);
    const second = open();
    await Promise.all([deliverAll(service), deliverAll(second)]);
    await Promise.all([sendAll(service), sendAll(second)]);
    expect(await subjects()).toHaveLength(5);
  });

  test.each([
    1, 2, 3,
  ])('a worker that dies at write %s of queueing loses no notice and sends none twice', async (fatal) => {
    await set({ to: [TO], sale: 'at_once' });
    for (let id = 1; id <= 3; id++) await saveOrder(id);
    let writes = 0;
    const dying = new Proxy(engines.table, {
      get: (table: Table, name) => {
        const member: unknown = Reflect.get(table, name);
        if (name !== 'transact') return typeof member === 'function' ? member.bind(table) : member;
        return async (all: readonly Write[]) => {
          writes += 1;
          // The first one dies before its write, the others after it.
          if (writes === fatal && fatal === 1) throw new Error('killed');
          const isDone = await table.transact(all);
          if (writes === fatal) throw new Error('killed');
          return isDone;
        };
      },
    });
    await expect(deliverAll(open(dying))).rejects.toThrow('killed');
    expect(await subjects()).toHaveLength(3);
  });

  test('the sales of a day are one mail at eight in the shop’s time zone, however long the worker slept', async () => {
    await set({ to: [TO] });
    await saveOrder(1);
    await saveOrder(2);
    await saveOrder(3, { currency: 'EUR' });
    expect(await subjects()).toEqual([]);
    clock.at = later(60 * 24 * 3);
    expect(await subjects()).toEqual(['Daily summary: Sale (3)']);
    expect(mailer.sent.at(-1)?.text).toMatch(/Sale \(3\) · \$\S+ · €\S+\nO-1/);
    clock.at = later(60 * 24 * 9);
    expect(await subjects()).toHaveLength(1);
  });

  test('a problem is mailed once, and again when it returns after a fix', async () => {
    await set({ to: [TO] });
    const found = { mail: { kind: 'doctor', name: 'mail', text: 'These messages wait', on: null } } as const;
    const look = (problems: object) =>
      service.get('notices').look(grantPermit(), problems as typeof found, { on: null, isWhole: true });
    await look(found);
    await look(found);
    expect(await subjects()).toEqual(['Problem: mail']);
    expect(mailer.sent[0]?.text).toContain('> These messages wait');
    await look({});
    expect((await subjects()).at(-1)).toBe('Problem: Solved: mail');
  });

  test('a test notice goes to each address that gets notices', async () => {
    await set({ to: [TO, 'second@example.com'] });
    expect(await service.get('notices').test(grantPermit())).toEqual([TO, 'second@example.com']);
    expect(await subjects()).toEqual(['Test: notices of your shop reach you']);
  });
});
