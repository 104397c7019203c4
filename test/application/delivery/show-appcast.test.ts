import { beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anApp, anArtifact, anEntitlement, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { readAppcast } from '../../support/read-appcast.ts';

/** An application with a public feed, one whose feed is for its buyers, one that is hidden, and a script. */
const CLOCK = 1;
const NOTES = 2;
const HIDDEN = 3;
const SCRIPT = 4;
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
    ],
    releases: [
      aRelease({ id: 11, product_id: CLOCK, version: '1.0', build: '100', artifacts }),
      aRelease({ id: 12, product_id: CLOCK, version: '1.1b1', build: '110', channel: 'beta', artifacts }),
      aRelease({ id: 13, product_id: CLOCK, version: '0.9', artifacts }),
      aRelease({ id: 21, product_id: NOTES, version: '1.0', build: '1', artifacts, released_at: BOUGHT_UNTIL }),
      aRelease({ id: 22, product_id: NOTES, version: '2.0', build: '2', artifacts, released_at: NOW }),
      aRelease({ id: 31, product_id: HIDDEN, version: '1.0', build: '1', artifacts }),
    ],
    entitlements: [NOTES, HIDDEN].map((product_id) => anEntitlement({ id: product_id, product_id, ...mine })),
  });
});

const show = (productId: number | null, accountId: number | null = null, bound: number | null = null) =>
  service.get('showAppcast').execute({
    asking: accountId === null ? null : { accountId, scope: { product_id: bound } },
    productId,
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

test('the appcast of one channel has the releases of that channel and of the stable one', async () => {
  const of = (channel: string) => service.get('showAppcast').execute({ asking: null, productId: CLOCK, channel });
  expect(await builds(of('beta'))).toEqual(['110', '100']);
  expect(await builds(of('stable'))).toEqual(['100']);
  expect(await builds(of('dev'))).toEqual(['100']);
});

describe('the readers of an appcast', () => {
  test('an appcast for buyers ends with the update window of its reader', async () => {
    expect(await builds(show(NOTES, BUYER))).toEqual(['1']);
  });

  test('an appcast for buyers has links that stand for the account of its reader', async () => {
    const [item] = await itemsOf(show(NOTES, BUYER));
    const ticket = new URL(item?.enclosure.url ?? '').searchParams.get('ticket') ?? '';
    expect(service.get('releaseTickets').accountOf(ticket, 21)).toBe(BUYER);
  });

  test('an appcast for buyers asks somebody unknown for a key, and somebody known for an entitlement', async () => {
    expect(await show(NOTES)).toMatchObject({ ok: false, code: 'missing_api_key' });
    expect(await show(NOTES, STRANGER)).toMatchObject({ ok: false, code: 'product_entitlement_required' });
  });

  test('a known account without an entitlement is refused even an appcast that is open to the unknown', async () => {
    expect(await show(CLOCK, STRANGER)).toMatchObject({ ok: false, code: 'product_entitlement_required' });
  });

  test('the appcast of a hidden application exists for its buyers only', async () => {
    expect(await builds(show(HIDDEN, BUYER))).toEqual(['1']);
    for (const outsider of [show(HIDDEN), show(HIDDEN, STRANGER)]) expect(await outsider).toEqual(await show(999));
    expect(await show(999)).toMatchObject({ ok: false, code: 'not_found' });
  });

  test('a key bound to another product is refused before it learns whether the application exists', async () => {
    for (const productId of [NOTES, HIDDEN, 999]) {
      expect(await show(productId, BUYER, CLOCK)).toMatchObject({ code: 'product_api_key_scope_required' });
    }
    expect(await builds(show(NOTES, BUYER, NOTES))).toEqual(['1']);
  });
});

test.each<[string, number | null]>([
  ['a product that is no application', SCRIPT],
  ['an id that no product could have', null],
])('%s has no appcast', async (_, productId) => {
  expect(await show(productId)).toMatchObject({ ok: false, code: 'not_found' });
});
