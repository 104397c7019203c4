import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { fine, wrong } from '../../runtimes/doctor/finding.ts';
import { tellFindings } from '../../runtimes/doctor/watch.ts';
import { aMailer, MAILING, sendAll } from '../support/mail.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';

const LEFT = wrong('mail', 'These messages could not be sent, and are not tried again: 7 (order)');
const OBJECTS = wrong('objects', 'The request 4F2A was not answered');
const FINE = fine('objects', 'The object store takes bytes and gives them back.');
const clock = (minute: number) => wrong('clock', `The clock says 2026-11-21T09:0${minute}:00.000Z; set the clock`);

describe('findings that are reported to the shop', () => {
  const mailer = aMailer();
  let service: ReturnType<typeof memoryService>;
  beforeEach(async () => {
    mailer.sent = [];
    service = memoryService({ mailer }, memoryEngines(), MAILING);
    await service.get('changeStorefront')(grantPermit(), { notify: { to: ['owner@example.com'] } });
  });

  test.each([
    ['whose moment changes is told once', [[clock(1)], [clock(2)], [clock(3)]], ['a'], ['clock']],
    ['of one machine’s clock is not solved by another', [[clock(1)], [FINE], [clock(2)]], ['a', 'b'], ['clock']],
    [
      'is not solved by a look that an outage ended',
      [[FINE, LEFT], [OBJECTS], [FINE, LEFT], [FINE]],
      ['a'],
      ['mail', 'objects', 'Solved: objects', 'Solved: mail'],
    ],
    [
      'that names further records is told once',
      [[LEFT], [{ ...LEFT, message: `${LEFT.message}, 8 (key)` }]],
      ['a'],
      ['mail'],
    ],
  ])('a finding %s', async (_, looks, machines, told) => {
    for (const [n, found] of looks.entries())
      await tellFindings(service, found, machines[n % machines.length] as string);
    await sendAll(service);
    expect(mailer.sent.map(({ subject }) => subject)).toEqual(told.map((text) => `Problem: ${text}`));
  });
});
