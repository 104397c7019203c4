import { createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Progress } from '../../../application/shared/progress.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import { StoreDocument } from '../../../ports/inbound/store-document/store-document.ts';
import type { ReleaseEditor } from '../../../ports/outbound/delivery.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import {
  accountEntry,
  addFiles,
  aFolder,
  faultLines,
  importInto,
  productEntry,
  releaseEntry,
} from '../../support/store-folder.ts';

let folder: string;
let engines: ReturnType<typeof memoryEngines>;
let service: Service;

beforeEach(async () => {
  folder = await aFolder({
    'tool.zip': 'tool',
    'other.zip': 'other',
    'assets/hero.svg': '<svg/>',
    'assets/a/b.md': '# B',
  });
  engines = memoryEngines();
  service = memoryService({}, engines);
});

const load = (parts: object, progress?: Progress, on = service) =>
  importInto(on, folder, parts, progress && { progress });

/** Every fault as `path: message`. */
const faultsOf = async (parts: object): Promise<string[]> => {
  const outcome = await load(parts);
  return outcome.ok ? [] : faultLines(outcome);
};

const product = productEntry({
  id: 1,
  slug: 'tool',
  category_ids: [2],
  tag_ids: [1],
  hero: { path: 'hero.svg', alt: { en: 'Tool' } },
  content: { assets_dir: 'assets', usage_path: 'a/b.md' },
});

const WHOLE = {
  categories: [
    { id: 1, name: { en: 'All' } },
    { id: 2, parent_id: 1, name: { en: 'Tools' } },
  ],
  tags: [{ id: 1, name: { en: 'Fast' } }],
  products: [product, productEntry({ id: 2, delivery: { strategy: 'manual' } })],
  releases: [releaseEntry({ id: 11, version: 'v1.0' })],
  bundles: [{ id: 1, product_id: 2, name: { en: 'Both' }, product_ids: [1] }],
  policy: { min_client_version: '1.0.0', ttl_days: 7, recheck_hours: 12 },
  accounts: [
    accountEntry({
      id: 1,
      password: 'long-enough',
      entitlements: [{ id: 1, product_id: 1, granted_at: '2025-02-01T00:00:00Z' }],
      subscriptions: [{ id: 1, product_ids: [2], status: 'active', starts_at: '2025-02-01T00:00:00Z' }],
    }),
  ],
};

const releaseOf = async (version = '1.0.0', on = service) => (await on.get('releaseEditor').read(1, version)).release;

describe('an import', () => {
  test('an import stores every record, and every file under its checksum', async () => {
    expect(await load(WHOLE)).toMatchObject({
      ok: true,
      value: { products: { created: 2 }, releases: { created: 1 }, entitlements: { created: 1 } },
    });
    const { products, bundles, policy } = await service.get('catalogs').current();
    expect([...products.values()].map(({ slug }) => slug)).toEqual(['tool', 'product-2']);
    expect([bundles.length, policy.ttl_days]).toEqual([1, 7]);
    const { assets = [] } = (await service.get('catalogs').content(1)) ?? {};
    expect(assets.map(({ path, content_type }) => [path, content_type])).toEqual([
      ['a/b.md', 'text/markdown'],
      ['hero.svg', 'image/svg+xml'],
    ]);
    const opened = await engines.objects.open(objectKeyOf(assets[1]?.sha256 ?? ''));
    expect(opened && (await text(opened.stream))).toBe('<svg/>');
  });

  test('an import normalizes a version by the product’s scheme and signs the artifact', async () => {
    await load(WHOLE);
    const release = await releaseOf('1.0.0');
    expect(release?.artifacts).toMatchObject([{ platform: null, filename: 'tool.zip', size: 4, format: 'zip' }]);
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: Buffer.from(await service.get('artifactSigner').publicKey(), 'base64').toString('base64url'),
      },
    });
    const signature = Buffer.from(release?.artifacts[0]?.signature ?? '', 'base64');
    expect(verify(null, Buffer.from('tool'), key, signature)).toBe(true);
  });

  test('a second import changes nothing, not even the hash of a password', async () => {
    await load(WHOLE);
    const before = await service.get('accounts').get(1);
    const again = await load(WHOLE);
    const counts = again.ok ? Object.values(again.value) : [];
    expect(counts).toHaveLength(19);
    expect(counts.reduce((sum, { created, updated }) => sum + created + updated, 0)).toBe(0);
    expect(await service.get('accounts').get(1)).toEqual(before);
  });

  test('an import marks its products, and an import of an export keeps each mark', async () => {
    const mark = async () => (await service.get('catalogs').current()).products.get(1)?.managed_by;
    await load(WHOLE);
    expect(await mark()).toBe('document');
    await service.get('changeProduct')(grantPermit(), { product: 'tool', fields: { unit_price_cents: 1 } });
    expect(await mark()).toBe('document');
    await load({ ...WHOLE, exported_at: '2026-11-01T00:00:00Z' });
    expect(await mark()).toBe(undefined);
  });

  test('an import counts its changes and keeps unnamed records', async () => {
    await load(WHOLE);
    const changed = { ...product, content: { assets_dir: 'assets', detail_html: { en: '<p>New</p>' } } };
    const loaded = await load({ products: [changed], accounts: [accountEntry({ id: 1, name: 'Ann' })] });
    expect(loaded).toMatchObject({
      value: { products: { updated: 1 }, accounts: { updated: 1 }, tags: { unchanged: 0 } },
    });
    expect((await service.get('catalogs').current()).products.size).toBe(2);
    expect((await service.get('accounts').get(1))?.password_hash).toContain('long-enough');
  });

  test('an import reports its progress to the last byte and record', async () => {
    const last = new Map<string, string>();
    await load(WHOLE, (stage, done, total) => last.set(stage, `${done} of ${total}`));
    expect([...last]).toEqual([
      ['Reading files', '13 of 13'],
      ['Storing files', '13 of 13'],
      ['Writing records', '11 of 11'],
    ]);
  });

  test('a killed import is completed by running it again', async () => {
    const releaseEditor = service.get('releaseEditor');
    const dying: ReleaseEditor = {
      read: (product_id, version) => releaseEditor.read(product_id, version),
      released: (product_id) => releaseEditor.released(product_id),
      save: (permit, release, read) => {
        if (release.version === '2.0.0') throw new Error('killed');
        return releaseEditor.save(permit, release, read);
      },
    };
    const two = { ...WHOLE, releases: [...WHOLE.releases, releaseEntry({ id: 12, version: '2.0.0' })] };
    await expect(load(two, undefined, memoryService({ releaseEditor: dying }, engines))).rejects.toThrow('killed');
    expect(await releaseOf('1.0.0')).toBeDefined();
    expect((await service.get('catalogs').current()).products.size).toBe(0);
    expect(await load(two)).toMatchObject({
      value: { releases: { created: 1, unchanged: 1 }, products: { created: 2 } },
    });
  });

  test('an import withdraws, schedules and moves a release, and offers it again for null', async () => {
    const withdrawn = { at: '2026-11-20T09:00:00+09:00', reason: 'It deletes files.' };
    const entry = releaseEntry({ id: 11, version: 'v1.0' });
    await load(WHOLE);
    const importing = (more: object) => load({ releases: [{ ...entry, ...more }] });
    expect(await importing({ withdrawn, channel: 'beta' })).toMatchObject({ value: { releases: { updated: 1 } } });
    const taken = { at: '2026-11-20T00:00:00.000Z', reason: 'It deletes files.' };
    expect(await releaseOf()).toMatchObject({ withdrawn: taken, channel: 'beta' });
    expect(await importing({ channel: 'beta' })).toMatchObject({ value: { releases: { unchanged: 1 } } });
    expect(await importing({ withdrawn: null, released_at: '2999-01-01T00:00:00Z' })).toMatchObject({
      value: { releases: { updated: 1 } },
    });
    expect(await releaseOf()).toMatchObject({ channel: 'stable', released_at: '2999-01-01T00:00:00.000Z' });
    expect(await releaseOf()).not.toHaveProperty('withdrawn');
  });

  test('an import stores no blank release notes', async () => {
    await load({ ...WHOLE, releases: [releaseEntry({ id: 11, notes_en: ' \n', notes_ko: ' 새로움. ' })] });
    expect(await releaseOf()).toMatchObject({ notes_en: null, notes_ko: ' 새로움. ' });
  });

  test.each([' ', '', 'a\nb'])('the reason %j of a withdrawal is refused', async (reason) => {
    const withdrawn = { at: '2026-11-20T00:00:00Z', reason };
    const entry = releaseEntry({ id: 11, withdrawn });
    expect(() => StoreDocument.parse({ format: 1, releases: [entry] })).toThrow('reason');
  });

  test('an import whose file changes while it runs stores neither the file nor the release', async () => {
    const change: Progress = (stage, done, total) => {
      if (stage === 'Reading files' && done === total) writeFileSync(join(folder, 'tool.zip'), 'TOOL');
    };
    const slow = { releases: WHOLE.releases, products: WHOLE.products.map((one) => productEntry({ id: one.id })) };
    await expect(load(slow, change)).rejects.toThrow();
    expect(await releaseOf()).toBeUndefined();
  });
});

describe('an import into a filled store', () => {
  beforeEach(async () => {
    await load(WHOLE);
  });

  test('an import can refer to stored records', async () => {
    const release = releaseEntry({ id: 12, version: '1.1.0', artifacts: [{ file: 'other.zip' }] });
    const category = { id: 3, parent_id: 2, name: { en: 'Small tools' } };
    expect(await faultsOf({ categories: [category], releases: [release] })).toEqual([]);
  });

  test('an import can’t close a circle with stored categories', async () => {
    const category = { id: 1, parent_id: 2, name: { en: 'All' } };
    expect(await faultsOf({ categories: [category] })).toEqual([
      'categories.0.parent_id: category 1 would be below itself',
    ]);
  });

  test('an import can’t use a taken slug or email address', async () => {
    const parts = {
      products: [productEntry({ id: 3, slug: 'tool' })],
      accounts: [accountEntry({ id: 2, email: 'BUYER-1@example.com' })],
    };
    expect(await faultsOf(parts)).toEqual([
      'products.0.slug: "tool" is already the slug of product 1',
      'accounts.0.email: BUYER-1@example.com is already the address of account 1',
    ]);
  });

  test('an import can’t move an entitlement to another product', async () => {
    const entitlements = [{ id: 1, product_id: 2, granted_at: '2025-02-01T00:00:00Z' }];
    expect(await faultsOf({ accounts: [accountEntry({ id: 1, entitlements })] })).toEqual([
      'accounts.0.entitlements.0.product_id: entitlement 1 of this account is for product 1 already',
    ]);
  });

  test('an import can’t replace the file of a release', async () => {
    await addFiles(folder, { 'tool.zip': 'changed' });
    expect(await faultsOf({ releases: [releaseEntry({ id: 11 })] })).toEqual([
      expect.stringMatching(
        /^releases\.0\.artifacts\.0\.file: this version has another file for every platform already/,
      ),
    ]);
  });

  test('an import can’t change the pairing of a release’s id and version', async () => {
    expect(await faultsOf({ releases: [releaseEntry({ id: 11, version: '2.0.0' })] })).toEqual([
      'releases.0.id: 11 is version 1.0.0 of product 1 already',
    ]);
    expect(await faultsOf({ releases: [releaseEntry({ id: 12 })] })).toEqual([
      'releases.0.id: this version is release 11 of the store already',
    ]);
  });

  test('an import can’t change the version scheme of a product with releases', async () => {
    expect(await faultsOf({ products: [{ ...product, version_scheme: 'sparkle' }] })).toEqual([
      'products.0.version_scheme: product 1 has releases, which are ordered by semver',
    ]);
  });

  test('an import adds a platform to a release and keeps its other platforms', async () => {
    const linux = { platform: 'linux-amd64', file: 'other.zip' };
    await load({ releases: [releaseEntry({ id: 11, artifacts: [linux] })] });
    expect((await releaseOf())?.artifacts.map(({ platform }) => platform)).toEqual(['linux-amd64', null]);
  });

  test('an import can move a release to another channel', async () => {
    expect(await load({ releases: [releaseEntry({ id: 11, channel: 'beta' })] })).toMatchObject({
      value: { releases: { updated: 1 } },
    });
    expect((await releaseOf())?.channel).toBe('beta');
  });
});
