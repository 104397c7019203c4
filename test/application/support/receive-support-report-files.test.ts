import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReceivedFile } from '../../../application/shared/files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { FILE_BYTES_A_DAY, FILES_KEPT } from '../../../domain/support/ticket.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, countedIds } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';
import { aFile, aReport } from '../../support/report-builders.ts';

const BUYER = 7;

const aDesk = () => {
  const clock = aClock();
  const engines = memoryEngines();
  const service = bootstrap(SETTINGS, engines, [support], { clock, ids: countedIds() });
  const opened = async (number: number | null, ticket_id = 1) =>
    done(await service.get('openReportFile')(ticket_id, number));
  return {
    clock,
    report: async (file: ReceivedFile | null, { account_id = BUYER, summary = 'It stops', permit = PERMIT } = {}) =>
      done(
        await passed(
          service.get('receiveSupportReport')({ account_id, body: aReport({ summary }), files: { bundle: file } }),
          permit,
        ),
      ),
    files: (ticket_id = 1) => service.get('tickets').files(ticket_id),
    read: async (number: number | null) => text((await opened(number)).stream),
    objects: async () => (await engines.objects.list()).keys,
    /** Uses up the account's daily bytes except this many. */
    sendAllBut: (left: number) =>
      service.get('tickets').countFileBytes(grantPermit(), BUYER, FILE_BYTES_A_DAY - left, clock.at),
  };
};

let desk: ReturnType<typeof aDesk>;
beforeEach(() => {
  desk = aDesk();
});

test('the file of a report is stored unchanged, and its sender learns so', async () => {
  const file = aFile('tick, tick');
  const { name, size, sha256 } = file;
  expect(await desk.report(file)).toMatchObject({ ticket: { bundle: { name, size, sha256 } } });
  expect(await desk.files()).toMatchObject([{ number: 1, name, type: 'text/plain', received_at: NOW }]);
  expect(await desk.read(null)).toBe('tick, tick');
});

test('the name of a report’s file is stored without email addresses', async () => {
  await desk.report(aFile('tick', { name: 'ann@example.com.log' }));
  expect((await desk.files())[0]?.name).toMatch(/^\[email\]/);
});

test('the file of each report that joins a ticket is stored beside the others', async () => {
  await desk.report(aFile('one'));
  await desk.report(null);
  await desk.report(aFile('three'));
  expect((await desk.files()).map(({ number }) => number)).toEqual([1, 3]);
  expect([await desk.read(1), await desk.read(3)]).toEqual(['one', 'three']);
});

test('a ticket stores the files of its first reports only', async () => {
  for (let n = 1; n < FILES_KEPT; n++) await desk.report(null);
  expect(await desk.report(aFile('last'))).toMatchObject({ ticket: { reports: FILES_KEPT, bundle: { size: 4 } } });
  expect(await desk.report(aFile('over'))).toMatchObject({ ticket: { reports: FILES_KEPT + 1, bundle: null } });
  expect((await desk.files()).map(({ number }) => number)).toEqual([FILES_KEPT]);
  expect(await desk.objects()).toHaveLength(1);
});

describe('the daily limit of an account’s file bytes', () => {
  test('a file that reaches the daily limit exactly is stored, and the next one is left out of its ticket', async () => {
    await desk.sendAllBut(4);
    expect(await desk.report(aFile('four'))).toMatchObject({ ticket: { bundle: { size: 4 } } });
    expect(await desk.report(aFile('1'), { summary: 'Other' })).toMatchObject({
      ticket: { reports: 1, bundle: null },
      deduplicated: false,
    });
    expect(await desk.objects()).toHaveLength(1);
  });

  test('a reached limit affects neither another account nor the next day', async () => {
    await desk.sendAllBut(0);
    expect(await desk.report(aFile('mine'), { account_id: 8 })).toMatchObject({ ticket: { bundle: { size: 4 } } });
    desk.clock.at = addDays(NOW, 1);
    expect(await desk.report(aFile('next'))).toMatchObject({ ticket: { bundle: { size: 4 } } });
  });
});

test('a file with other bytes than announced is not stored and opens no ticket', async () => {
  await expect(desk.report(aFile('tick', { sha256: 'a'.repeat(64) }))).rejects.toThrow();
  expect(await desk.files()).toEqual([]);
  expect(await desk.objects()).toEqual([]);
});

test('no file is stored until the permit of its report is granted', async () => {
  expect(await withoutPermit((permit) => desk.report(aFile('tick'), { permit }))).toBe(true);
  expect(await desk.objects()).toEqual([]);
});
