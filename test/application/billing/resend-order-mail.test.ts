import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ORDER_MAILS_A_DAY } from '../../../domain/mail/message.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { MAILING } from '../../support/mail.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';

const PERMIT = grantPermit();

const shop = async () => {
  const service = memoryService({}, undefined, MAILING);
  await put(service, {
    accounts: [anAccount({ id: 1, email: 'ada@example.com' }), anAccount({ id: 2, email: 'bob@example.com' })],
    orders: [
      anOrder({ id: 1, number: 'O-1' }),
      anOrder({ id: 2, number: 'O-2', status: 'refunded' }),
      anOrder({ id: 3, number: 'O-3', account_id: 2 }),
    ],
  });
  const resend = (order: string) => service.get('resendOrderMail')?.(PERMIT, order);
  const waiting = async () =>
    (await service.get('messages').waiting(100)).map(({ kind, subject_id }) => `${kind} ${subject_id}`);
  return { service, resend, waiting };
};

test('an order is mailed again to its account at most three times a day', async () => {
  const { resend, waiting } = await shop();
  for (let n = 0; n < ORDER_MAILS_A_DAY.most; n++)
    expect(await resend('O-1')).toEqual({ ok: true, value: 'ada@example.com' });
  expect(await resend('O-1')).toMatchObject({ ok: false, code: 'rate_limited' });
  expect(await waiting()).toEqual(Array.from({ length: ORDER_MAILS_A_DAY.most }, () => 'order 1'));
});

test('a refunded order and one of a suspended or erased account are not mailed again', async () => {
  const { service, resend, waiting } = await shop();
  expect(await resend('O-9')).toMatchObject({ code: 'order_not_found' });
  expect(await resend('O-2')).toMatchObject({ code: 'order_unpaid' });
  done(await service.get('suspendAccount')(PERMIT, { account_id: 1, suspended: true }));
  expect(await resend('O-1')).toMatchObject({ code: 'account_suspended' });
  done(await service.get('eraseAccount')(PERMIT, { account_id: 2 }));
  expect(await resend('O-3')).toMatchObject({ code: 'account_not_found' });
  expect(await waiting()).toEqual([]);
});
