import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { API, memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';

const HOUR_MS = 3_600_000;
const BUYER = { account_id: 7, key_hash: 'a'.repeat(64) };
const AT_ELEVEN = '2026-11-21T11:00:00.000Z';

let now: string;
const engines = memoryEngines();
const tickets = memoryService({ clock: { now: () => now } }, engines).get('releaseTickets');

beforeEach(() => {
  now = AT_ELEVEN;
});

describe('a release ticket', () => {
  test('a ticket names its account and its key for its own release only', () => {
    const ticket = tickets.issue(BUYER, 41);
    expect(tickets.read(ticket, 41)).toEqual(BUYER);
    expect(tickets.read(ticket, 42)).toBeNull();
  });

  test('a ticket is the same text within an hour and another text after it and for another account or key', () => {
    const ticket = tickets.issue(BUYER, 41);
    now = toInstant(millis(AT_ELEVEN) + HOUR_MS - 1);
    expect(tickets.issue(BUYER, 41)).toBe(ticket);
    expect(tickets.issue({ ...BUYER, account_id: 8 }, 41)).not.toBe(ticket);
    expect(tickets.issue({ ...BUYER, key_hash: 'b'.repeat(64) }, 41)).not.toBe(ticket);
    now = toInstant(millis(AT_ELEVEN) + HOUR_MS);
    expect(tickets.issue(BUYER, 41)).not.toBe(ticket);
  });

  test('a ticket is valid for one day to one day and an hour', () => {
    now = toInstant(millis(AT_ELEVEN) + HOUR_MS - 1);
    const ticket = tickets.issue(BUYER, 41);
    now = addDays(now, 1);
    expect(tickets.read(ticket, 41)).toEqual(BUYER);
    now = toInstant(millis(AT_ELEVEN) + 25 * HOUR_MS - 1);
    expect(tickets.read(ticket, 41)).toEqual(BUYER);
    now = toInstant(millis(AT_ELEVEN) + 25 * HOUR_MS);
    expect(tickets.read(ticket, 41)).toBeNull();
  });

  test('a ticket of another key or of another token type is rejected', () => {
    expect(tickets.read(memoryService().get('releaseTickets').issue(BUYER, 41), 41)).toBeNull();
    const claims = { iss: API, sub: '7', iat: 0, exp: 4e9, release_id: 41, key: BUYER.key_hash };
    expect(tickets.read(engines.licenseSigner.sign('license+jws', claims), 41)).toBeNull();
    expect(tickets.read(engines.licenseSigner.sign('release-ticket+jws', claims), 41)).toEqual(BUYER);
  });

  test('a ticket without a valid end, of another issuer or without a key is rejected', () => {
    for (const wrong of [
      { exp: undefined },
      { exp: '4000000000' },
      { iss: 'https://other.example.com' },
      { key: undefined },
    ]) {
      const claims = { iss: API, sub: '7', exp: 4e9, release_id: 41, key: BUYER.key_hash, ...wrong };
      expect(tickets.read(engines.licenseSigner.sign('release-ticket+jws', claims), 41)).toBeNull();
    }
  });
});
