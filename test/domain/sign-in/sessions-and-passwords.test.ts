import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { judgeNewPassword, needsCurrentPassword } from '../../../domain/sign-in/password-rules.ts';
import {
  isLiveSession,
  isUnseenSession,
  needsProof,
  newSession,
  ownPath,
  type Session,
  sessionsToEnd,
} from '../../../domain/sign-in/session.ts';
import { isUsableLink, newSignInLink } from '../../../domain/sign-in/sign-in-link.ts';
import { NOW } from '../../support/builders.ts';

const aSession = (overrides: Partial<Session> = {}): Session => ({
  ...newSession({ id: 1, hash: 'h', account_id: 1, method: 'password', browser: 'Firefox on macOS' }, NOW),
  ...overrides,
});
const justBefore = (moment: string): string => toInstant(millis(moment) - 1);

describe('a session', () => {
  test('a session ends 14 days after its last use', () => {
    expect(isLiveSession(aSession(), justBefore(addDays(NOW, 14)))).toBe(true);
    expect(isLiveSession(aSession(), addDays(NOW, 14))).toBe(false);
  });

  test('a session ends 90 days after its beginning, however often it is used', () => {
    const used = aSession({ last_seen_at: addDays(NOW, 89) });
    expect(isLiveSession(used, justBefore(addDays(NOW, 90)))).toBe(true);
    expect(isLiveSession(used, addDays(NOW, 90))).toBe(false);
  });

  test('the use of a session is recorded again from the next UTC day on', () => {
    const session = aSession({ last_seen_at: '2026-11-20T10:00:00.000Z' });
    expect(isUnseenSession(session, '2026-11-20T23:59:59.999Z')).toBe(false);
    expect(isUnseenSession(session, '2026-11-21T00:00:00.000Z')).toBe(true);
  });

  test('an account keeps its fifty most recently used sessions', () => {
    const sessions = Array.from({ length: 60 }, (_, id) => aSession({ id, last_seen_at: addDays(NOW, -(id % 10)) }));
    const ended = sessionsToEnd(sessions, NOW);
    expect(ended.map(({ id }) => id)).toEqual([9, 19, 29, 39, 49, 59, 8, 18, 28, 38, 48]);
    expect(sessionsToEnd(sessions.toReversed(), NOW), 'in any order').toEqual(ended);
    expect(sessionsToEnd(sessions.slice(0, 49), NOW)).toEqual([]);
    const past = aSession({ id: 99, last_seen_at: addDays(NOW, -14) });
    expect(sessionsToEnd([past], NOW)).toEqual([past]);
  });

  test('the description of a browser is one line of at most 100 characters', () => {
    const opened = newSession(
      { id: 1, hash: 'h', account_id: 1, method: 'link', browser: `a\r\nb${'c'.repeat(200)}` },
      NOW,
    );
    expect(opened.browser).toBe(`a b${'c'.repeat(97)}`);
  });
});

test('a one-time link can be used for an hour', () => {
  const link = newSignInLink({ hash: 'h', account_id: 1, password_mark: 'm' }, NOW);
  const end = toInstant(millis(NOW) + 3_600_000);
  expect(isUsableLink(link, justBefore(end))).toBe(true);
  expect(isUsableLink(link, end)).toBe(false);
});

test('a session needs a proof ten minutes after its sign-in or its last proof', () => {
  const [end, later] = [toInstant(millis(NOW) + 600_000), toInstant(millis(NOW) + 900_000)];
  expect([needsProof(aSession(), justBefore(end)), needsProof(aSession(), end)]).toEqual([false, true]);
  const proved = aSession({ proved_at: toInstant(millis(NOW) + 300_000) });
  expect([needsProof(proved, justBefore(later)), needsProof(proved, later)]).toEqual([false, true]);
  // A clock that was ahead proves nothing.
  expect(needsProof(aSession({ proved_at: addDays(NOW, 3650) }), NOW)).toBe(true);
});

describe('a password', () => {
  test.each([
    [7, 'password_too_short'],
    [8, undefined],
    [256, undefined],
    [257, 'password_too_long'],
  ])('a new password of %i characters is judged by its length', (length, code) => {
    const judged = judgeNewPassword('x'.repeat(length));
    expect(judged.ok ? undefined : judged.code).toBe(code);
  });

  test('the current password is required unless there is none or a link signed in within ten minutes', () => {
    const [withOne, without] = [{ password_hash: 'h' }, { password_hash: null }];
    const end = toInstant(millis(NOW) + 600_000);
    expect(needsCurrentPassword(withOne, aSession(), NOW)).toBe(true);
    expect(needsCurrentPassword(withOne, aSession({ method: 'upstream' }), NOW)).toBe(true);
    expect(needsCurrentPassword(withOne, aSession({ method: 'link' }), justBefore(end))).toBe(false);
    expect(needsCurrentPassword(withOne, aSession({ method: 'link' }), end)).toBe(true);
    expect(needsCurrentPassword(without, aSession(), end)).toBe(false);
  });
});

describe('the path that follows a sign-in', () => {
  test.each([
    '/',
    '/devices?product=5',
    '/interaction/a-b_c',
    '/a#b',
    '/a//b',
    '/%2f%2fexample.com',
    `/${'a'.repeat(2047)}`,
  ])('the local path %s is kept', (path) => {
    expect(ownPath(path, '/library')).toBe(path);
  });

  test.each([
    '',
    'library',
    '//example.com',
    '/\\example.com',
    '\\\\example.com',
    '/\t/example.com',
    '/\n/example.com',
    ' /library',
    'https://example.com/',
    'javascript:alert(1)',
    '/a b',
    '/ä',
    `/${'a'.repeat(2048)}`,
    null,
    undefined,
  ])('the text %j is not a local path', (path) => {
    expect(ownPath(path, '/library')).toBe('/library');
  });

  test('no text leads to another host', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      ':',
      '@',
      '\t',
      '\r',
      '\n',
      ' ',
      '?',
      '#',
      '%2f',
      'example.com',
      'http:',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(new URL(ownPath(text, '/'), 'https://account.example.com/sign-in').host).toBe('account.example.com');
      }),
      { numRuns: 2000 },
    );
  });
});
