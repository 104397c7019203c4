import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Platform } from '../../../domain/catalog/platform.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { anApiKey, anApp, anArtifact, anEntitlement, aRelease, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';

/** An application with a public feed, one with a feed for its buyers, and a hidden one. */
const CLOCK = 1;
const NOTES = 2;
const HIDDEN = 3;
const OLD_CLOCK = 5;
const BUYER = 7;
const STRANGER = 8;
const BOUGHT_UNTIL = addDays(NOW, -10);

const aShop = (clock: ReturnType<typeof aClock>) => bootstrap(SETTINGS, memoryEngines(), [delivery], { clock });
let service: ReturnType<typeof aShop>;
let clock: ReturnType<typeof aClock>;

const mine = (id: number) =>
  anEntitlement({ id, product_id: id, account_id: BUYER, updates_supported_until: BOUGHT_UNTIL });

beforeEach(async () => {
  clock = aClock();
  service = aShop(clock);
  const patch = { from_build: '90', filename: 'patch.delta', sha256: 'd'.repeat(64), size: 9, signature: null };
  const artifacts = [
    anArtifact({ platform: 'darwin-arm64', filename: 'arm.zip', deltas: [patch] }),
    anArtifact({ platform: 'darwin-amd64', filename: 'intel.zip' }),
  ];
  await put(service, {
    products: [
      anApp({ id: CLOCK }),
      anApp({ id: NOTES, feed: 'entitled' }),
      anApp({ id: HIDDEN, published: false }),
      anApp({ id: OLD_CLOCK, active: false }),
    ],
    releases: [
      aRelease({ id: 11, product_id: CLOCK, version: '1.0', build: '100', artifacts }),
      aRelease({ id: 21, product_id: NOTES, version: '1.0', released_at: BOUGHT_UNTIL }),
      aRelease({ id: 22, product_id: NOTES, version: '2.0', released_at: NOW }),
      aRelease({ id: 31, product_id: HIDDEN, version: '1.0' }),
      aRelease({ id: 51, product_id: OLD_CLOCK, version: '1.0' }),
    ],
    entitlements: [mine(NOTES), mine(HIDDEN)],
  });
  const keys = service.get('apiKeys');
  await keys.change(grantPermit(), await keys.scope(BUYER, null), { add: keyOf(BUYER) }, NOW);
});

/** The key of an account. The store has the buyer's. */
const keyOf = (account: number): ApiKey => anApiKey({ id: account, account_id: account });

type Asked = {
  readonly account?: number;
  readonly bound?: number;
  readonly ticket?: string;
  readonly platform?: Platform;
  readonly delta?: string;
};

const download = (release_id: number | null, { account, bound, ticket, platform, delta }: Asked = {}) =>
  service.get('downloadRelease')({
    caller:
      account === undefined ? null : { account_id: account, scope: { product_id: bound ?? null }, key: keyOf(account) },
    release_id,
    ticket: ticket ?? null,
    platform: platform ?? null,
    delta: delta ?? null,
  });
const ticketOf = (account: number, release_id: number) =>
  service.get('releaseTickets').issue({ account_id: account, key_hash: keyOf(account).hash }, release_id);
const refused = (code: string) => ({ ok: false, code });

test('anybody can download a release of an open application, from a URL that is valid for a quarter of an hour', async () => {
  const found = await download(11, { platform: 'darwin-arm64' });
  const address = new URL(found.ok ? found.value : '');
  expect(address.pathname).toMatch(/\/arm\.zip$/);
  expect(address.searchParams.get('expires')).toBe(String(Date.parse('2026-11-21T08:15:00.000Z') / 1000));
});

describe('the file of a release', () => {
  test('a patch is downloaded by the build that it updates', async () => {
    const found = await download(11, { platform: 'darwin-arm64', delta: '90' });
    expect(found).toMatchObject({ value: expect.stringContaining('/patch.delta?') });
  });

  test.each<[string, Asked, string]>([
    ['for a platform that the release has no file for', { platform: 'linux-arm64' }, 'has no file for linux-arm64'],
    ['as a patch from a build that has none', { platform: 'darwin-arm64', delta: '80' }, 'no patch from build 80'],
    ['as a patch that another platform has', { platform: 'darwin-amd64', delta: '90' }, 'no patch from build 90'],
  ])('a download %s is refused', async (_, asked, message) => {
    const outcome = await download(11, asked);
    expect(outcome).toMatchObject({ code: 'install_not_available', message: expect.stringContaining(message) });
  });
});

test('a file for every platform is downloaded only for the platforms of its product', async () => {
  await put(service, {
    products: [anApp({ id: CLOCK, platforms: ['macos'] })],
    releases: [aRelease({ id: 12, product_id: CLOCK, version: '2.0', artifacts: [anArtifact({ platform: null })] })],
  });
  expect(await download(12, { platform: 'darwin-arm64' })).toMatchObject({ ok: true });
  expect(await download(12)).toMatchObject({ ok: true });
  expect(await download(12, { platform: 'linux-amd64' })).toMatchObject({
    code: 'install_not_available',
    message: 'Version 2.0 has no file for linux-amd64.',
  });
});

describe('the releases that are offered', () => {
  const release = aRelease({ id: 12, product_id: CLOCK, version: '1.3.0', build: '130' });

  test('a download of a withdrawn release is refused with the reason', async () => {
    await put(service, { releases: [{ ...release, withdrawn: { at: NOW, reason: 'It loses notes.' } }] });
    expect(await download(12)).toMatchObject({
      code: 'install_not_available',
      message: 'Version 1.3.0 was withdrawn: It loses notes.',
    });
  });

  test('a scheduled release looks nonexistent before its date', async () => {
    await put(service, { releases: [{ ...release, released_at: addDays(NOW, 1) }] });
    expect(await download(12)).toEqual(await download(999));
    expect(await download(12, { account: BUYER })).toEqual(await download(999));
    clock.at = addDays(NOW, 1);
    expect(await download(12)).toMatchObject({ ok: true });
  });
});

describe('the download of an open application’s release', () => {
  const asked = { platform: 'darwin-arm64' } as const;

  test('a key without access downloads what a caller without a key downloads', async () => {
    const open = await download(11, asked);
    expect(open).toMatchObject({ ok: true });
    expect(await download(11, { ...asked, account: STRANGER })).toEqual(open);
    expect(await download(11, { ...asked, account: BUYER, bound: NOTES })).toEqual(open);
  });

  test('a key with access downloads no release after its update window', async () => {
    await put(service, {
      entitlements: [mine(CLOCK)],
      releases: [aRelease({ id: 12, product_id: CLOCK, version: '2.0', released_at: NOW })],
    });
    expect(await download(12)).toMatchObject({ ok: true });
    expect(await download(12, { account: BUYER })).toMatchObject(refused('version_update_window_expired'));
  });

  test('an application off sale keeps its downloads', async () => {
    expect(await download(51)).toMatchObject({ ok: true });
    expect(await download(51, { account: STRANGER })).toMatchObject({ ok: true });
  });
});

describe('the download of a release for buyers', () => {
  test('a buyer downloads releases within the update window, and nothing later', async () => {
    expect(await download(21, { account: BUYER })).toMatchObject({ ok: true });
    expect(await download(22, { account: BUYER })).toMatchObject(refused('version_update_window_expired'));
  });

  test('an account without an entitlement and a caller without a key are refused', async () => {
    expect(await download(21, { account: STRANGER })).toMatchObject(refused('product_entitlement_required'));
    expect(await download(21)).toMatchObject(refused('missing_api_key'));
  });

  test('a hidden application’s release is found only by its buyers', async () => {
    expect(await download(31, { account: BUYER })).toMatchObject({ ok: true });
    for (const outsider of [download(31), download(31, { account: STRANGER })]) {
      expect(await outsider).toEqual(await download(999));
    }
    expect(await download(999)).toMatchObject(refused('not_found'));
    expect(await download(null)).toMatchObject(refused('not_found'));
  });

  test('a key bound to another product is refused whether or not the release exists', async () => {
    for (const release of [21, 31, 999]) {
      const outcome = await download(release, { account: BUYER, bound: CLOCK });
      expect(outcome).toMatchObject(refused('product_api_key_scope_required'));
    }
  });
});

describe('a download with a ticket from a feed', () => {
  test('a ticket represents its account, within that account’s update window', async () => {
    expect(await download(21, { ticket: ticketOf(BUYER, 21) })).toMatchObject({ ok: true });
    const later = await download(22, { ticket: ticketOf(BUYER, 22) });
    expect(later).toMatchObject(refused('version_update_window_expired'));
  });

  test('a ticket fails once its account has lost the entitlement', async () => {
    const ticket = ticketOf(BUYER, 21);
    await put(service, { entitlements: [{ ...mine(NOTES), revoked_at: NOW }] });
    expect(await download(21, { ticket })).toMatchObject(refused('product_entitlement_required'));
  });

  test('a ticket fails from the first request after the revocation of its key', async () => {
    const ticket = ticketOf(BUYER, 21);
    expect(await download(21, { ticket })).toMatchObject({ ok: true });
    const keys = service.get('apiKeys');
    await keys.change(grantPermit(), await keys.scope(BUYER, null), { revoke: [keyOf(BUYER)] }, NOW);
    expect(await download(21, { ticket })).toMatchObject(refused('missing_api_key'));
  });

  test('a ticket fails once its key has expired', async () => {
    const key = anApiKey({ id: 9, account_id: BUYER, expires_at: toInstant(millis(NOW) + 1000) });
    const keys = service.get('apiKeys');
    await keys.change(grantPermit(), await keys.scope(BUYER, null), { add: key }, NOW);
    const ticket = service.get('releaseTickets').issue({ account_id: BUYER, key_hash: key.hash }, 21);
    expect(await download(21, { ticket })).toMatchObject({ ok: true });
    clock.at = key.expires_at as string;
    expect(await download(21, { ticket })).toMatchObject(refused('missing_api_key'));
  });

  test('a ticket that names another account’s key fails', async () => {
    const ticket = service.get('releaseTickets').issue({ account_id: STRANGER, key_hash: keyOf(BUYER).hash }, 21);
    expect(await download(21, { ticket })).toMatchObject(refused('missing_api_key'));
  });

  test('an expired, forged or mismatched ticket is ignored', async () => {
    const ticket = ticketOf(BUYER, 21);
    expect(await download(21, { ticket: ticketOf(BUYER, 22) })).toMatchObject(refused('missing_api_key'));
    expect(await download(21, { ticket: 'made.up.ticket' })).toMatchObject(refused('missing_api_key'));
    clock.at = addDays(NOW, 1);
    expect(await download(21, { ticket })).toMatchObject({ ok: true });
    clock.at = addDays(NOW, 2);
    expect(await download(21, { ticket })).toMatchObject(refused('missing_api_key'));
  });

  test('a caller with a key is judged by that key, whatever the ticket says', async () => {
    const outcome = await download(21, { account: STRANGER, ticket: ticketOf(BUYER, 21) });
    expect(outcome).toMatchObject(refused('product_entitlement_required'));
  });
});
