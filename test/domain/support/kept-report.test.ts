import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANGES_BY_KEYS, CHANGES_ON_PAGES } from '../../../domain/audit/bounds.ts';
import { INSTALLS_A_DAY, USAGE_A_DAY } from '../../../domain/devices/usage.ts';
import { TOKENS_A_DAY } from '../../../domain/sign-in/oauth-grant.ts';
import { newGroup } from '../../../domain/support/error-group.ts';
import {
  CONTEXT_BYTES,
  ERROR_BYTES_OF_ADDRESS,
  ERROR_BYTES_OF_STORE,
  ERRORS_KEPT_DAYS,
  type ErrorDetails,
  GROUP_BYTES,
  isBeyondBytes,
  MESSAGE_BYTES,
  newReport,
  REPORT_BYTES,
  reportSize,
} from '../../../domain/support/error-report.ts';
import { TICKETS_A_DAY } from '../../../domain/support/ticket.ts';

const FRESH = {
  id: Number.MAX_SAFE_INTEGER,
  fingerprint: `v1:overflow-${'a'.repeat(32)}`,
  received_at: '2026-11-21T08:00:00.000Z',
};

/** A report with every field at its maximum length, made of one text. */
const longest = (text: string): ErrorDetails => {
  const fill = (length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
  return {
    app_bundle_id: fill(255),
    app_version: fill(50),
    os_version: fill(50),
    device_model: fill(100),
    error_type: 'exception',
    error_message: fill(10_000),
    stack_trace: fill(50_000),
    context: { note: fill(16_000) },
  };
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const TEXTS = [
  ['plain', 'x'],
  ['of three bytes each', '한'],
  ['of four bytes each', '😀'],
  ['that JSON escapes', '"'],
  ['of line ends', '\n'],
  ['of control characters', '\u0001'],
  ['of half a pair', '\ud83d'],
  ['of what grows when scrubbed', 'pwd=1,'],
  ['of addresses', 'a@b.cd '],
] as const;

describe('the size of a stored error report', () => {
  test.each(TEXTS)('a report of the maximum size with characters %s takes at most 40 KiB', (_, text) => {
    const report = newReport(longest(text), FRESH);
    expect(bytesOf(report)).toBeLessThanOrEqual(REPORT_BYTES);
    expect(REPORT_BYTES).toBe(40 * 1024);
    expect(report.truncated).toContain('stack_trace');
    expect(reportSize(report)).toBe(bytesOf(report) + GROUP_BYTES);
  });

  test.each(TEXTS)('the group of a report of the maximum size with characters %s takes at most 8 KiB', (_, text) => {
    const report = newReport(longest(text), FRESH);
    const group = newGroup(report, {
      exception: text.repeat(130).slice(0, 130),
      frames: Array(5).fill(text.repeat(500)),
    });
    const grown = { ...group, versions: Array(20).fill(report.app_version) };
    expect(bytesOf(grown)).toBeLessThanOrEqual(GROUP_BYTES);
  });

  test('a text that is cut keeps its beginning and ends with a mark', () => {
    const { error_message, stack_trace, context, truncated } = newReport(longest('한'), FRESH);
    expect(error_message).toMatch(/^한{1300,}\n\[truncated\]$/);
    expect(stack_trace).toMatch(/^한{5400,}\n\[truncated\]$/);
    expect(context).toEqual({ truncated: expect.stringMatching(/^\{"note":"한{4000,}\n\[truncated\]$/) });
    expect(truncated).toEqual(['error_message', 'stack_trace', 'context']);
  });

  test('a short report is stored unchanged, without a mark', () => {
    const details = { ...longest('x'), error_message: 'short', stack_trace: null, context: { a: [1, null] } };
    expect(newReport(details, FRESH)).toEqual({ ...details, ...FRESH });
  });

  test('a message and a context of the maximum size are stored unchanged, and one more byte is cut', () => {
    const kept = (message: number, note: number) => {
      const context = { note: 'x'.repeat(note - JSON.stringify({ note: '' }).length) };
      const details = { ...longest('x'), error_message: 'x'.repeat(message), stack_trace: null, context };
      return newReport(details, FRESH).truncated;
    };
    expect(kept(MESSAGE_BYTES, CONTEXT_BYTES)).toBeUndefined();
    expect(kept(MESSAGE_BYTES + 1, CONTEXT_BYTES)).toEqual(['error_message']);
    expect(kept(MESSAGE_BYTES, CONTEXT_BYTES + 1)).toEqual(['context']);
  });

  test('the size of a report is limited for all texts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
        (text) => bytesOf(newReport(longest(text), FRESH)) <= REPORT_BYTES,
      ),
      { numRuns: 20 },
    );
  });
});

describe('the size of a day’s reports', () => {
  test.each([
    [0, 0, false],
    [ERROR_BYTES_OF_ADDRESS.most, ERROR_BYTES_OF_STORE.most, false],
    [ERROR_BYTES_OF_ADDRESS.most + 1, 0, true],
    [0, ERROR_BYTES_OF_STORE.most + 1, true],
  ])('after %i bytes from one address and %i bytes in all, a report exceeds the limits: %s', (ofAddress, ofStore, expected) => {
    expect(isBeyondBytes({ ofAddress, ofStore })).toBe(expected);
  });

  test('in 90 days one address stores at most 0.76 GB, and all addresses at most 24.2 GB', () => {
    expect((ERROR_BYTES_OF_ADDRESS.most * ERRORS_KEPT_DAYS) / 1e9).toBeLessThan(0.76);
    expect((ERROR_BYTES_OF_STORE.most * ERRORS_KEPT_DAYS) / 1e9).toBeLessThan(24.2);
  });
});

test('the daily limits have distinct names, because each names a counter', () => {
  const bounds = [
    CHANGES_BY_KEYS,
    CHANGES_ON_PAGES,
    ERROR_BYTES_OF_ADDRESS,
    ERROR_BYTES_OF_STORE,
    INSTALLS_A_DAY,
    TICKETS_A_DAY,
    TOKENS_A_DAY,
    USAGE_A_DAY,
  ];
  expect(new Set(bounds.map(({ name }) => name)).size).toBe(bounds.length);
  for (const { name, what } of bounds) expect([name, what]).not.toContain('');
});
