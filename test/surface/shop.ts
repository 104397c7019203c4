import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ABILITIES, type Ability } from '../../domain/access/abilities.ts';
import type { ApiKey, KeyDevice } from '../../domain/access/api-key.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Artifact, Release } from '../../domain/delivery/release.ts';
import type { Entitlement, Subscription } from '../../domain/licensing/entitlement.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aBundle, aCategory, anArtifact, anEntitlement, aProduct, aRelease, aSubscription, aTag } from '../support/builders.ts';

/** Products of the shop that every case finds. */
export const TOOL = 1;
export const SKILL = 2;
export const NOTES = 3;
export const SECRET = 4;
export const OTHER = 5;
export const BUNDLE = 6;
export const RETIRED = 7;

const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

const keep = async (service: Service, bytes: string): Promise<{ sha256: string; size: number }> => {
  await service.get('objects').put(objectKeyOf(sha256(bytes)), Readable.from([Buffer.from(bytes)]));
  return { sha256: sha256(bytes), size: Buffer.byteLength(bytes) };
};

/** What the file of a release holds, so that a download can be compared. */
export const artifactBytes = (version: string, platform: string | null): string =>
  `tool ${version} for ${platform ?? 'any'}\n`.repeat(50);

const artifact = async (service: Service, version: string, platform: Artifact['platform']): Promise<Artifact> =>
  anArtifact({ ...(await keep(service, artifactBytes(version, platform))), platform, filename: `tool-${version}.zip` });

const publish = async (service: Service, release: Partial<Release>, platforms: Artifact['platform'][]): Promise<void> => {
  const artifacts = await Promise.all(platforms.map((one) => artifact(service, release.version as string, one)));
  const editor = service.get('releaseEditor');
  const whole = aRelease({ ...release, artifacts });
  await editor.save(whole, await editor.read(whole.product_id, whole.version));
};

/** Fills an empty store with the shop. */
export const openShop = async (service: Service): Promise<void> => {
  const editor = service.get('catalogEditor');
  const steps = [{ en: 'Download' }, { en: 'Install' }, { en: 'Run' }];
  const products = [
    aProduct({
      id: TOOL,
      slug: 'tool',
      name: { en: 'Tool', ko: '도구' },
      description: { en: 'Sums files.', ko: '파일을 더합니다.' },
      unit_price_cents: 300,
      device_limit: 3,
      setup_steps: steps,
      category_ids: [1, 2],
      primary_category_id: 2,
      tag_ids: [1],
      platforms: ['linux-amd64', 'darwin-arm64'],
      created_at: '2025-01-01T00:00:00.000Z',
      mcp_server: { id: 9, name: 'tool', enabled: true, tools: [{ id: 91, name: 'sum', enabled: true }] },
      hero: { path: 'images/hero image.svg', alt: { en: 'A sum', ko: '합' } },
      thumbnail_html: '<img src="/x.png" onerror="alert(1)"><script>alert(1)</script>',
      install_assets: [{ platform: 'any', label: { en: 'Guide' }, path: 'docs/guide.md' }],
    }),
    aProduct({
      id: SKILL,
      slug: 'skill',
      type: 'skill',
      name: { en: 'Skill' },
      unit_price_cents: 100,
      category_ids: [1],
      created_at: '2025-02-01T00:00:00.000Z',
    }),
    aProduct({ id: NOTES, slug: 'notes', name: { en: 'Notes' }, bundle_id: 'com.example.notes', version_scheme: 'sparkle', device_limit: 2, platforms: ['macos'] }),
    aProduct({ id: SECRET, slug: 'secret', name: { en: 'Secret' }, published: false, bundle_id: 'com.example.secret' }),
    aProduct({ id: OTHER, slug: 'other', name: { en: 'Other' }, unit_price_cents: 200, category_ids: [3] }),
    aProduct({ id: BUNDLE, slug: 'bundle', type: 'bundle', name: { en: 'Everything' } }),
    aProduct({ id: RETIRED, slug: 'retired', name: { en: 'Retired' }, active: false }),
  ];
  for (const value of products) await editor.save({ kind: 'product', value });
  await editor.save({ kind: 'category', value: aCategory({ id: 1, name: { en: 'Software', ko: '소프트웨어' } }) });
  await editor.save({ kind: 'category', value: aCategory({ id: 2, parent_id: 1 }) });
  await editor.save({ kind: 'category', value: aCategory({ id: 3 }) });
  await editor.save({ kind: 'tag', value: aTag({ id: 1, name: { en: 'Fast' } }) });
  await editor.save({ kind: 'bundle', value: aBundle({ id: 1, product_id: BUNDLE, product_ids: [SKILL, TOOL] }) });
  await editor.save({
    kind: 'content',
    value: {
      product_id: TOOL,
      detail_html: { en: '<h2>Sums</h2><p onclick="alert(1)">fast</p><script>alert(1)</script>', ko: '<p>빠름</p>' },
      gallery: [{ path: 'images/one.png', alt: { en: 'One' } }],
      videos: [{ url: 'https://video.example.com/1', title: null }],
      usage_path: 'docs/guide.md',
      architecture_path: null,
      ai_prompt_path: null,
      assets: [
        { path: 'docs/guide.md', content_type: 'text/markdown', ...(await keep(service, '# Guide\n')) },
        { path: 'images/hero image.svg', content_type: 'image/svg+xml', ...(await keep(service, '<svg/>')) },
      ],
    },
  });
  const both: Artifact['platform'][] = ['linux-amd64', 'darwin-arm64'];
  const of = (id: number, version: string, released_at: string, more: Partial<Release> = {}) => ({
    id,
    product_id: TOOL,
    version,
    released_at,
    ...more,
  });
  await publish(service, of(11, '1.0.0', '2025-06-01T00:00:00.000Z', { notes_en: 'First.', notes_ko: '처음.' }), both);
  await publish(service, of(12, '1.1.0', '2026-01-10T00:00:00.000Z', { notes_en: 'Faster.' }), both);
  await publish(service, of(13, '1.2.0-beta.1', '2026-02-01T00:00:00.000Z', { channel: 'beta' }), both);
  await publish(service, of(14, '2.0.0-alpha.1', '2026-03-01T00:00:00.000Z', { channel: 'alpha' }), ['linux-amd64']);
  await publish(service, of(15, '2.0.0-dev.1', '2026-01-20T00:00:00.000Z', { channel: 'dev' }), both);
  await publish(service, of(21, '1.0.0', '2025-07-01T00:00:00.000Z', { product_id: SKILL }), [null]);
  await publish(service, of(22, '1.10.0', '2026-05-01T00:00:00.000Z', { product_id: SKILL }), [null]);
};

type Holding = { entitlements?: Partial<Entitlement>[]; subscriptions?: Partial<Subscription>[] };

let lastAccount = 1000;

/** A new account with what it holds. Each case makes its own, so that none sees another's devices, keys or counts. */
export const anAccount = async (service: Service, { entitlements = [], subscriptions = [] }: Holding = {}): Promise<number> => {
  const id = ++lastAccount;
  await service.get('accounts').save({
    id,
    email: `buyer-${id}@example.com`,
    name: 'Buyer',
    created_at: '2025-01-01T00:00:00.000Z',
    password_hash: null,
  });
  const grants = service.get('grants');
  for (const [n, one] of entitlements.entries()) {
    await grants.saveEntitlement(anEntitlement({ id: n + 1, account_id: id, ...one }));
  }
  for (const [n, one] of subscriptions.entries()) {
    await grants.saveSubscription(aSubscription({ id: n + 1, account_id: id, ...one }));
  }
  return id;
};

type KeyOptions = { abilities?: readonly Ability[]; product_id?: number; expires_at?: string; device?: Partial<KeyDevice> };

export type MadeKey = { value: string; key: ApiKey };

/** A key with every ability, unless told otherwise. With a `device` it is a device sign-in key. */
export const aKey = async (service: Service, accountId: number, options: KeyOptions = {}): Promise<MadeKey> => {
  const { device, abilities, ...wish } = options;
  const created = await service.get('createApiKey').execute({
    account_id: accountId,
    name: 'case',
    ...(device && !abilities ? {} : { abilities: abilities ?? ABILITIES }),
    ...wish,
    ...(device ? { device: { client: 'cli', device: { device_id: randomUUID(), name: 'Laptop', ...device } } } : {}),
  });
  if (!created.ok) throw new Error(created.message);
  return created.value;
};

/** A buyer of the tool alone, with a key that may do everything. */
export const aToolBuyer = async (service: Service, entitlement: Partial<Entitlement> = {}): Promise<{ account: number; key: string }> => {
  const account = await anAccount(service, { entitlements: [{ product_id: TOOL, ...entitlement }] });
  return { account, key: (await aKey(service, account)).value };
};
