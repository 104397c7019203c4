import { beforeEach, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, countedIds } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';
import { aCrash, aFile, aReport, SENDER } from '../../support/report-builders.ts';

const BUYER = { id: 7, email: 'ann@example.com', name: 'Ann', created_at: NOW, password_hash: null };

const aDesk = () => bootstrap(SETTINGS, memoryEngines(), [support], { clock: aClock(), ids: countedIds() });
let service: ReturnType<typeof aDesk>;
beforeEach(async () => {
  service = aDesk();
  await service.get('accounts').save(grantPermit(), BUYER);
});

const show = (id: string) => service.get('showReport')(id);
const crash = async (at: string) =>
  done(await passed(service.get('receiveErrorReport')({ body: aCrash(at), owner: SENDER }))).report;
const complain = async (account_id = BUYER.id) => {
  const [report, file] = [aReport(), aFile('tick')];
  return done(await passed(service.get('receiveSupportReport')({ account_id, body: report, files: { bundle: file } })));
};

test('an error is shown by its fingerprint, with its newest reports first', async () => {
  const first = await crash('tick');
  const second = await crash('tick');
  await crash('tock');
  expect(await show(first.group)).toMatchObject({
    ok: true,
    value: {
      kind: 'error',
      group: { fingerprint: first.group },
      count: 2,
      reports: [{ id: second.id }, { id: first.id }],
    },
  });
});

test('an error is shown by the id of one of its reports, with that report alone', async () => {
  const first = await crash('tick');
  await crash('tick');
  expect(await show(String(first.id))).toMatchObject({
    value: { kind: 'error', count: 2, reports: [{ id: first.id }] },
  });
});

test('a ticket is shown by its id, with its sender’s address and the files of its reports', async () => {
  const { ticket } = await complain();
  await complain();
  expect(await show(String(ticket.id))).toMatchObject({
    ok: true,
    value: {
      kind: 'support',
      ticket: { id: ticket.id, ...aReport() },
      account_email: 'ann@example.com',
      count: 2,
      files: [{ number: 1, name: 'clock.log' }, { number: 2 }],
    },
  });
});

test('a ticket of an erased account is shown without an address', async () => {
  const { ticket } = await complain(99);
  expect(await show(String(ticket.id))).toMatchObject({ value: { kind: 'support', account_email: null } });
});

test.each([
  '999',
  `v1:${'0'.repeat(32)}`,
  'latest',
  '',
  '-1',
  '1.5',
])('nothing is shown for "%s", which is not the id of a report', async (id) => {
  await crash('tick');
  expect(await show(id)).toMatchObject({ ok: false, code: 'not_found' });
});
