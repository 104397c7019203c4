import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { API, memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';

const HOUR_MS = 3_600_000;
const AT_ELEVEN = '2026-11-21T11:00:00.000Z';

let now: string;
const engines = memoryEngines();
const tickets = memoryService({ clock: { now: () => now } }, engines).get('releaseTickets');

beforeEach(() => {
  now = AT_ELEVEN;
});

describe('a release ticket', () => {
  test('a ticket identifies its account for its own release only', () => {
    const ticket = tickets.issue(7, 41);
    expect(tickets.accountOf(ticket, 41)).toBe(7);
    expect(tickets.accountOf(ticket, 42)).toBeNull();
  });

  test('a ticket is the same text within an hour and another text after it and for another account', () => {
    const ticket = tickets.issue(7, 41);
    now = toInstant(millis(AT_ELEVEN) + HOUR_MS - 1);
    expect(tickets.issue(7, 41)).toBe(ticket);
    expect(tickets.issue(8, 41)).not.toBe(ticket);
    now = toInstant(millis(AT_ELEVEN) + HOUR_MS);
    expect(tickets.issue(7, 41)).not.toBe(ticket);
  });

  test('a ticket is valid for at least one day and at most one hour more', () => {
    now = toInstant(millis(AT_ELEVEN) + HOUR_MS - 1);
    const ticket = tickets.issue(7, 41);
    now = addDays(now, 1);
    expect(tickets.accountOf(ticket, 41)).toBe(7);
    now = toInstant(millis(AT_ELEVEN) + 25 * HOUR_MS - 1);
    expect(tickets.accountOf(ticket, 41)).toBe(7);
    now = toInstant(millis(AT_ELEVEN) + 25 * HOUR_MS);
    expect(tickets.accountOf(ticket, 41)).toBeNull();
  });

  test('a ticket of another key or of another token type is rejected', () => {
    expect(tickets.accountOf(memoryService().get('releaseTickets').issue(7, 41), 41)).toBeNull();
    const claims = { iss: API, sub: '7', iat: 0, exp: 4e9, release_id: 41 };
    expect(tickets.accountOf(engines.licenseSigner.sign('license+jws', claims), 41)).toBeNull();
    expect(tickets.accountOf(engines.licenseSigner.sign('release-ticket+jws', claims), 41)).toBe(7);
  });

  test('a ticket without a valid end or of another issuer is rejected', () => {
    for (const wrong of [{ exp: undefined }, { exp: '4000000000' }, { iss: 'https://other.example.com' }]) {
      const claims = { iss: API, sub: '7', exp: 4e9, release_id: 41, ...wrong };
      expect(tickets.accountOf(engines.licenseSigner.sign('release-ticket+jws', claims), 41)).toBeNull();
    }
  });
});
