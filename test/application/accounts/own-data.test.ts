import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { newTicket } from '../../../domain/support/ticket.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aReport } from '../../support/report-builders.ts';
import { memoryService } from '../../support/service.ts';

test('the export of an account is the one made before its session ended', async () => {
  const service = memoryService();
  await put(service, { accounts: [anAccount()] });
  const written = { page: '/support', fields: { text: 'It stops at noon.' } };
  await service.get('keepDraft')({ account_id: 1, known: null, ...written });
  expect(await service.get('collectOwnData')(1)).toMatchObject({ drafts: [written] });
});

type Exported = { readonly tickets: readonly { readonly id: number }[]; readonly left_out: readonly string[] };

/** The export of an account with this many tickets of maximum length, each with two bytes of JSON per character. */
const exportOf = async (tickets: number): Promise<Exported> => {
  const service = memoryService();
  await put(service, { accounts: [anAccount()] });
  for (let id = 1; id <= tickets; id++) {
    const ticket = newTicket(aReport({ detail: '"'.repeat(20_000) }), { id, account_id: 1 }, NOW);
    await service
      .get('tickets')
      .open(grantPermit(), ticket, String(id), { opening: undefined, version: null }, undefined);
  }
  return (await service.get('collectOwnData')(1)) as Exported;
};

test('the export of an account has every ticket, newest first', async () => {
  const { tickets, left_out } = await exportOf(50);
  expect(tickets.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => 50 - n));
  expect(left_out).toEqual([]);
});

test('the export of an account with more than 4 MB of tickets has the newest and names the omission', async () => {
  const { tickets, left_out } = await exportOf(120);
  expect([tickets[0]?.id, tickets.length, left_out]).toEqual([120, 99, ['tickets']]);
});
