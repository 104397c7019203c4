import { beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anApiKey, anApp, anArtifact, anEntitlement, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { readAppcast } from '../../support/read-appcast.ts';

/** An application with a public feed, one with a feed for its buyers, a hidden one, a script, and two off sale. */
const CLOCK = 1;
const NOTES = 2;
const HIDDEN = 3;
const SCRIPT = 4;
const OLD_CLOCK = 5;
const OLD_NOTES = 6;
const BUYER = 7;
const STRANGER = 8;
const BOUGHT_UNTIL = addDays(NOW, -10);

const aShop = () => aStore([delivery]);
let service: Awaited<ReturnType<typeof aShop>>;

beforeEach(async () => {
  service = await aShop();
  const artifacts = [anArtifact({ filename: 'app.zip', signature: 'c2lnbmVk' })];
  const mine = { account_id: BUYER, updates_supported_until: BOUGHT_UNTIL };
  await service.put({
    products: [
      anApp({ id: CLOCK }),
      anApp({ id: NOTES, feed: 'entitled' }),
      anApp({ id: HIDDEN, published: false }),
      aProduct({ id: SCRIPT }),
      anApp({ id: OLD_CLOCK, active: false }),
      anApp({ id: OLD_NOTES, active: false, feed: 'entitled' }),
    ],
    releases: [
      aRelease({ id: 11, product_id: CLOCK, version: '1.0', build: '100', artifacts }),
      aRelease({ id: 12, product_id: CLOCK, version: '1.1b1', build: '110', channel: 'beta', artifacts }),
      aRelease({ id: 13, product_id: CLOCK, version: '0.9', artifacts }),
      aRelease({ id: 21, product_id: NOTES, version: '1.0', build: '1', artifacts, released_at: BOUGHT_UNTIL }),
      aRelease({ id: 22, product_id: NOTES, version: '2.0', build: '2', artifacts, released_at: NOW }),
      aRelease({ id: 31, product_id: HIDDEN, version: '1.0', build: '1', artifacts }),
      aRelease({ id: 51, product_id: OLD_CLOCK, version: '1.0', build: '1', artifacts }),
      aRelease({ id: 61, product_id: OLD_NOTES, version: '1.0', build: '1', artifacts }),
    ],
    entitlements: [NOTES, HIDDEN, SCRIPT, OLD_NOTES].map((product_id) =>
      anEntitlement({ id: product_id, product_id, ...mine }),
    ),
  });
});

const show = (product_id: number | null, account_id: number | null = null, bound: number | null = null) =>
  service.get('showAppcast')({
    caller: account_id === null ? null : { account_id, scope: { product_id: bound }, key: anApiKey({ account_id }) },
    product_id,
    channel: null,
  });
const itemsOf = async (outcome: ReturnType<typeof show>) => {
  const shown = await outcome;
  if (!shown.ok) throw new Error(shown.code);
  return readAppcast(shown.value);
};
const builds = async (outcome: ReturnType<typeof show>) => (await itemsOf(outcome)).map(({ version }) => version);

test('the appcast of an application lists every release that has a build number, the newest first', async () => {
  const [beta, stable, ...more] = await itemsOf(show(CLOCK));
  expect(beta).toMatchObject({ release_id: 12, version: '110', short_version: '1.1b1', channel: 'beta' });
  expect(stable).toMatchObject({
    release_id: 11,
    channel: null,
    enclosure: {
      url: 'https://app.example.com/distribution/v1/releases/11/download',
      length: 1024,
      type: 'application/zip',
      signature: 'c2lnbmVk',
    },
  });
  expect(more).toEqual([]);
});

describe('the releases of an appcast', () => {
  const more = { product_id: CLOCK, artifacts: [anArtifact({ filename: 'app.zip' })] };

  test('the appcast has a scheduled release from its date on', async () => {
    const released_at = addDays(NOW, 2);
    await service.put({ releases: [aRelease({ ...more, id: 14, version: '2.0', build: '200', released_at })] });
    expect(await builds(show(CLOCK))).toEqual(['110', '100']);
    service.clock.at = released_at;
    expect(await builds(show(CLOCK))).toEqual(['200', '110', '100']);
  });
});

describe('the access to an appcast', () => {
  test('a buyers-only appcast ends with the update window of its reader', async () => {
    expect(await builds(show(NOTES, BUYER))).toEqual(['1']);
  });

  test('a buyers-only appcast has links for the account of its reader', async () => {
    const [item] = await itemsOf(show(NOTES, BUYER));
    const ticket = new URL(item?.enclosure.url ?? '').searchParams.get('ticket') ?? '';
    expect(service.get('releaseTickets').read(ticket, 21)).toMatchObject({ account_id: BUYER });
  });

  test('a buyers-only appcast asks an anonymous caller for a key, and a known one for an entitlement', async () => {
    expect(await show(NOTES)).toMatchObject({ ok: false, code: 'missing_api_key' });
    expect(await show(NOTES, STRANGER)).toMatchObject({ ok: false, code: 'product_entitlement_required' });
  });

  test('a key without access gets the open appcast that a caller without a key gets', async () => {
    const open = await show(CLOCK);
    expect(open.ok).toBe(true);
    expect(await show(CLOCK, STRANGER)).toEqual(open);
    expect(await show(CLOCK, BUYER, NOTES)).toEqual(open);
  });

  test('a key with access ends even an open appcast at its update window', async () => {
    const owned = anEntitlement({ product_id: CLOCK, account_id: BUYER, updates_supported_until: BOUGHT_UNTIL });
    const artifacts = [anArtifact({ filename: 'app.zip' })];
    await service.put({
      entitlements: [owned],
      releases: [aRelease({ id: 15, product_id: CLOCK, version: '3.0', build: '300', artifacts, released_at: NOW })],
    });
    expect(await builds(show(CLOCK))).toEqual(['300', '110', '100']);
    expect(await builds(show(CLOCK, BUYER))).toEqual(['110', '100']);
  });

  test('an application off sale keeps its appcast and its readers', async () => {
    expect(await builds(show(OLD_CLOCK))).toEqual(['1']);
    expect(await builds(show(OLD_CLOCK, STRANGER))).toEqual(['1']);
    expect(await builds(show(OLD_NOTES, BUYER))).toEqual(['1']);
    expect(await show(OLD_NOTES)).toMatchObject({ ok: false, code: 'missing_api_key' });
    expect(await show(OLD_NOTES, STRANGER)).toMatchObject({ ok: false, code: 'product_entitlement_required' });
  });

  test('the appcast of a hidden application is found only by its buyers', async () => {
    expect(await builds(show(HIDDEN, BUYER))).toEqual(['1']);
    for (const outsider of [show(HIDDEN), show(HIDDEN, STRANGER)]) expect(await outsider).toEqual(await show(999));
    expect(await show(999)).toMatchObject({ ok: false, code: 'not_found' });
  });

  test('a key bound to another product is refused whether or not the application exists', async () => {
    for (const product_id of [NOTES, HIDDEN, 999]) {
      expect(await show(product_id, BUYER, CLOCK)).toMatchObject({ code: 'product_api_key_scope_required' });
    }
    expect(await builds(show(NOTES, BUYER, NOTES))).toEqual(['1']);
  });
});

test.each<[string, number | null]>([
  ['a product that is no application', SCRIPT],
  ['an id that no product could have', null],
])('%s has no appcast', async (_, product_id) => {
  expect(await show(product_id)).toMatchObject({ ok: false, code: 'not_found' });
});

test.each([
  ['its owner', BUYER, 'This product has no feed for this updater;'],
  ['a stranger', STRANGER, 'There is no such product.'],
  ['a caller without a key', null, 'There is no such product.'],
])('the missing feed of a product is explained to %s', async (_, account, message) => {
  const refused = { code: 'not_found', message: expect.stringContaining(message) };
  const caller =
    account === null
      ? null
      : { account_id: account, scope: { product_id: null }, key: anApiKey({ account_id: account }) };
  expect(await show(SCRIPT, account)).toMatchObject(refused);
  const client = { target: 'darwin', arch: 'aarch64', version: '1.0', channel: 'stable' } as const;
  expect(await service.get('showTauriUpdate')({ caller, product_id: SCRIPT, ...client })).toMatchObject(refused);
});

test('a Tauri client with an invalid version is refused, because it would be offered an update forever', async () => {
  const client = { target: 'darwin', arch: 'aarch64', version: 'nightly', channel: 'stable' } as const;
  expect(await service.get('showTauriUpdate')({ caller: null, product_id: CLOCK, ...client })).toMatchObject({
    code: 'validation_failed',
    data: { errors: { installed: [expect.stringContaining('such as 1.4.0')] } },
  });
});
