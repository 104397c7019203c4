import { describe, expect, test } from 'vitest';
import {
  columnFault,
  type EarlierEnd,
  type EarlierLicense,
  earlierLicense,
  importParts,
  isGuessable,
  shownOf,
} from '../../../domain/licensing/earlier-license.ts';
import { done } from '../../support/outcomes.ts';

const GUMROAD = {
  'Purchase Email': 'giver@example.com',
  'Giftee Email': 'ada@example.com',
  'Buyer Name': 'Ada',
  'Purchase Time (UTC timezone)': '2024-05-24 14:15:07 UTC',
  'Fully Refunded?': '0',
  'Disputed?': '0',
  'Access Revoked?': '0',
  Quantity: '3',
  'License Key': '85DB562A-C11D4B06-A2335A6B-8C079166',
  'License Key Enabled?': '1',
};
const LEMON_SQUEEZY = {
  user_name: 'Ada',
  user_email: 'ada@example.com',
  key: '80e15db5-c796-436b-850c-8f9c98a48abe',
  activation_limit: '5',
  disabled: '0',
  status: 'active',
  expires_at: '2027-01-31T00:00:00.000000Z',
  created_at: '2024-05-24T14:15:07.000000Z',
};
const KEYGEN = {
  key: 'C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3',
  expiry: '',
  status: 'ACTIVE',
  suspended: 'false',
  maxMachines: '2',
  created: '2024-05-24 23:15:07+09:00',
  email: 'ada@example.com',
};

const license = (fields: Readonly<Record<string, string>>) => done(earlierLicense({ line: 7, fields }));

describe('a license of an earlier system', () => {
  test('an earlier license is read from the columns of Gumroad, Lemon Squeezy and Keygen', () => {
    const common = { line: 7, email: 'ada@example.com', begun_at: '2024-05-24T14:15:07.000Z' };
    const [gumroad, lemon, keygen] = [GUMROAD, LEMON_SQUEEZY, KEYGEN].map(license);
    expect(gumroad).toEqual({
      ...common,
      key: GUMROAD['License Key'],
      name: 'Ada',
      device_limit: null,
      quantity: 3,
      ends_at: null,
      updates_until: null,
    });
    expect(lemon).toMatchObject({ ...common, device_limit: 5, quantity: 1, ends_at: '2027-01-31T00:00:00.000Z' });
    expect(keygen).toMatchObject({ ...common, name: null, device_limit: 2, ends_at: null });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['without a key, such as the sums of Gumroad', { ...GUMROAD, 'License Key': '' }],
    ['that was refunded', { ...GUMROAD, 'Fully Refunded?': '1' }],
    ['whose access was revoked', { ...GUMROAD, 'Access Revoked?': '1' }],
    ['whose key was disabled', { ...GUMROAD, 'License Key Enabled?': '0' }],
    ['whose payment is disputed', { ...GUMROAD, 'Disputed?': '1', 'Dispute Won?': '0' }],
    ['that is disabled', { ...LEMON_SQUEEZY, disabled: 'true' }],
    ['that ended with its subscription', { ...LEMON_SQUEEZY, status: 'expired', expires_at: '' }],
    ['that is suspended', { ...KEYGEN, suspended: 'true' }],
    ['that is banned', { ...KEYGEN, status: 'BANNED' }],
  ])('an earlier license is left out if it is one %s', (_, fields) => expect(license(fields)).toBeNull());

  test('an earlier license with a won dispute is imported and keeps its end', () => {
    expect(license({ ...GUMROAD, 'Disputed?': '1', 'Dispute Won?': '1' })).not.toBeNull();
    const ended = { ...LEMON_SQUEEZY, status: 'expired', expires_at: '2025-01-31 12:00 UTC' };
    expect(license(ended)?.ends_at).toBe('2025-01-31T12:00:00.000Z');
  });

  test.each([
    ['2027-01-31', '2027-01-31T23:59:59.999Z'],
    ['2027-01-31T12:00:00.000000Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+09:00', '2027-01-31T03:00:00.000Z'],
    ['2027-01-31 12:00:00 UTC', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00 -0800', '2027-01-31T20:00:00.000Z'],
  ])('an earlier license that ends on %s ends at %s in every time zone of the machine', (expires_at, ends_at) => {
    expect(license({ ...LEMON_SQUEEZY, expires_at })).toMatchObject({ ends_at, updates_until: null });
  });

  test('an earlier license begins at the start of its day, so today’s license can be used at once', () => {
    expect(license({ ...LEMON_SQUEEZY, created_at: '2026-11-21' })?.begun_at).toBe('2026-11-21T00:00:00.000Z');
  });

  test('an earlier license continues without updates if the date ends its maintenance', () => {
    const maintained = (fields: object, ends: EarlierEnd = 'updates') =>
      done(earlierLicense({ line: 7, fields: { ...LEMON_SQUEEZY, expires_at: '2027-01-31', ...fields } }, ends));
    const [january, june] = ['2027-01-31T23:59:59.999Z', '2027-06-30T23:59:59.999Z'];
    const updates_until = '2027-06-30';
    expect(maintained({})).toMatchObject({ ends_at: null, updates_until: january });
    expect(maintained({ status: 'expired' })).toMatchObject({ ends_at: null, updates_until: january });
    expect(maintained({ updates_until })).toMatchObject({ ends_at: null, updates_until: june });
    expect(maintained({ updates_until }, 'access')).toMatchObject({ ends_at: january, updates_until: june });
  });

  test.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ expires_at: 'soon' }, /date "soon"; write it as 2027-01-31/],
    [{ expires_at: '05.04.2027' }, /"05\.04\.2027"/],
    [{ expires_at: '04/05/2027' }, /"04\/05\/2027"/],
    [{ expires_at: '2027-02-30' }, /"2027-02-30"/],
    [{ expires_at: '46117' }, /"46117"/],
    [{ expires_at: '2027-01-31 12:00' }, /"2027-01-31 12:00"/],
    [{ created_at: 'Jan 5, 2024' }, /"Jan 5, 2024"/],
    [{ updates_until: '2027' }, /"2027"/],
    [{ activation_limit: 'many' }, /whole number/],
    [{ user_name: 'A'.repeat(256) }, /more than 255 characters/],
  ])('an earlier license is refused with %o', (fields, message) => {
    const refused = earlierLicense({ line: 7, fields: { ...LEMON_SQUEEZY, ...fields } });
    expect([refused.ok, refused.ok || refused.message]).toEqual([false, expect.stringMatching(message)]);
  });

  test('an earlier license needs a key that its hash and its last four characters don’t reveal', () => {
    const safe = [GUMROAD['License Key'], LEMON_SQUEEZY.key, KEYGEN.key, 'A1B2-C3D4-E5F6-G7H8'];
    const guessable = ['A1B2-C3D4-E5F6', '1234-5678-9012-3456', 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA', '', 'password'];
    expect(safe.filter(isGuessable)).toEqual([]);
    expect(guessable.filter((key) => !isGuessable(key))).toEqual([]);
    expect(shownOf(KEYGEN.key)).toBe('C1B6');
  });
});

test('an import takes all keys of a buyer in one part, and a key only once', () => {
  const one = (key: string, email: string) => ({ ...(license(KEYGEN) as EarlierLicense), key, email });
  const rows = [one('a', 'ada@example.com'), one('b', 'bob@example.com'), one('a', 'ada@example.com')];
  const more = [one('c', 'Ada@example.com'), one('d', 'cy@example.com')];
  const parts = importParts([...rows, ...more], 2).map((part) => part.map(({ key }) => key));
  expect(parts).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
});

test('an export needs a key column and an email column, however they are spelled', () => {
  expect(columnFault(['LICENSE_KEY', 'userEmail'])).toBeNull();
  expect(columnFault(['key', 'email', 'E-Mail', '', ''])).toBe('has the column E-Mail twice');
  expect(columnFault(['key', 'name'])).toMatch(/^has no column Giftee Email or .* or email$/);
  expect(columnFault(['name'])).toMatch(/^has no column License Key or key, and Giftee/);
});
