import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { linkOwnFile } from '../../../application/support/tickets.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { signIn } from '../../../runtimes/composition/areas/sign-in.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aClock, countedIds } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';
import { aFile, aReport } from '../../support/report-builders.ts';

const aDesk = (engines = memoryEngines(), ids = countedIds()) =>
  bootstrap(SETTINGS, engines, [support, keys, signIn, { parts: { linkOwnFile } }], { clock: aClock(), ids });
let service: ReturnType<typeof aDesk>;

const complain = (log: string | null) => {
  const file = log === null ? null : aFile(log);
  return passed(service.get('receiveSupportReport')({ account_id: 7, body: aReport(), files: { bundle: file } }));
};
const read = async (number: number | null) => {
  const { file, stream } = done(await service.get('openReportFile')(1, number));
  return [file.number, await text(stream)];
};

beforeEach(() => {
  service = aDesk();
});

test('the file of a report is opened by the number of that report', async () => {
  await complain('one');
  await complain('two');
  expect(await read(1)).toEqual([1, 'one']);
});

test('the newest file of a ticket is opened if no report is named', async () => {
  await complain('one');
  await complain('two');
  await complain(null);
  expect(await read(null)).toEqual([2, 'two']);
});

test.each<[string, string | null, number, number | null]>([
  ['a ticket that does not exist', 'one', 9, null],
  ['a report that brought none', null, 1, null],
  ['a report that was never sent', 'one', 1, 2],
])('no file is found for %s', async (_, log, ticket_id, number) => {
  await complain(log);
  expect(await service.get('openReportFile')(ticket_id, number)).toMatchObject({ code: 'not_found' });
});

test('an expired file is not found even if its ticket still names it', async () => {
  const engines = memoryEngines();
  service = aDesk(engines);
  await complain('one');
  const later = aDesk({ ...memoryEngines(), table: engines.table });
  expect(await later.get('openReportFile')(1, null)).toMatchObject({
    ok: false,
    code: 'not_found',
    message: 'The file clock.log of ticket 1 is no longer stored.',
  });
});

test('a link to a ticket’s file needs the own account and the file’s number, while the file is stored', async () => {
  const clock = aClock();
  service = bootstrap(SETTINGS, memoryEngines(), [support, keys, signIn, { parts: { linkOwnFile } }], {
    clock,
    ids: countedIds(),
  });
  for (const log of ['one', 'two']) await complain(log);
  const [, second] = await service.get('tickets').files(1);
  const link = (account_id: number, ticket: number, number: number) =>
    service.get('linkOwnFile')(account_id, { ticket, number });
  expect(done(await link(7, 1, 2))).toContain(second?.object_key);
  for (const [account, ticket, number] of [
    [8, 1, 2],
    [7, 2, 2],
    [7, 1, 3],
  ] as const)
    expect(await link(account, ticket, number)).toMatchObject({ code: 'not_found' });
  clock.at = addDays(clock.at, 366);
  expect(await link(7, 1, 2)).toMatchObject({ code: 'not_found' });
});
