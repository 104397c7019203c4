import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Artifact, Release } from '../../domain/delivery/release.ts';
import { type ClientPolicy, DEFAULT_POLICY } from '../../domain/policy/client-policy.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aBundle, aCategory, anApp, anArtifact, aProduct, aRelease, aTag } from '../support/builders.ts';
import { A_STOREFRONT, aDisclosure, aLineage } from '../support/public-builders.ts';
import { aDraft } from '../support/screen-builders.ts';
import { FLOATING, LINEAGE, PUBLISHED } from './good-requests.ts';

/** An app with setup steps, content and releases for two platforms. */
export const TOOL = 1;
export const SKILL = 2;
/** An application with a public appcast. */
export const NOTES = 3;
/** An unpublished product. */
export const SECRET = 4;
/** A product without a release, content or a device limit. */
export const OTHER = 5;
/** A bundle of SKILL and TOOL. */
export const BUNDLE = 6;
/** A product with sessions that is no longer sold. Its bundle includes SECRET and NOTES. */
export const RETIRED = FLOATING;
/** An unpublished bundle of OTHER and SECRET. */
export const SECRET_BUNDLE = 8;
export const UNKNOWN = 999;

/** Releases of the tool that clients are not offered: one was withdrawn, and one comes out in a thousand years. */
export const WITHDRAWN = 18;
export const SCHEDULED = 19;

/** A device that the policy revokes for the tool. */
export const STOLEN_DEVICE = 'stolen-laptop';

export const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

export const GUIDE = '# Guide\n';
export const HERO = '<svg/>';

const keep = async (service: Service, bytes: string): Promise<{ sha256: string; size: number }> => {
  await service.get('objects').put(grantPermit(), objectKeyOf(sha256(bytes)), Readable.from([Buffer.from(bytes)]));
  return { sha256: sha256(bytes), size: Buffer.byteLength(bytes) };
};

/** The content of a release's file. */
export const artifactBytes = (version: string, platform: string | null): string =>
  `file of ${version} for ${platform ?? 'any'}\n`.repeat(50);

const products = [
  aProduct({
    id: TOOL,
    slug: 'tool',
    name: { en: 'Tool', ko: '도구' },
    description: { en: 'Sums files.', ko: '파일을 더합니다.' },
    unit_price_cents: 300,
    device_limit: 3,
    slots: 'persons',
    setup_steps: [{ en: 'Download' }, { en: 'Install' }, { en: 'Run' }],
    category_ids: [1, 2],
    primary_category_id: 2,
    tag_ids: [1],
    platforms: ['linux-amd64', 'darwin-arm64'],
    created_at: '2025-01-01T00:00:00.000Z',
    mcp_server: { id: 9, name: 'tool', enabled: true, tools: [{ id: 91, name: 'sum', enabled: true }] },
    hero: { path: 'images/hero image.svg', alt: { en: 'A sum', ko: '합' } },
    thumbnail_html: `<img src="/x.png" onerror="alert(1)"><script>alert(1)</script><img src="/api/products/${TOOL}/content-assets/images/hero%20image.svg">`,
    pictures: [
      { path: 'images/hero image.svg', content_type: 'image/svg+xml', sha256: sha256(HERO), size: HERO.length },
    ],
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
  anApp({
    id: NOTES,
    slug: 'notes',
    name: { en: 'Notes' },
    bundle_id: 'com.example.notes',
    device_limit: 2,
    trial_days: 14,
    platforms: ['macos'],
    category_ids: [2],
    created_at: '2025-03-01T00:00:00.000Z',
  }),
  aProduct({
    id: SECRET,
    slug: 'secret',
    name: { en: 'Secret' },
    published: false,
    bundle_id: 'com.example.secret',
    slots: 'persons',
    setup_steps: [{ en: 'Whisper' }],
  }),
  aProduct({
    id: OTHER,
    slug: 'other',
    name: { en: 'Other' },
    license_keys: true,
    unit_price_cents: 200,
    category_ids: [3],
    created_at: '2025-04-01T00:00:00.000Z',
  }),
  aProduct({
    id: BUNDLE,
    slug: 'bundle',
    type: 'bundle',
    name: { en: 'Everything' },
    created_at: '2025-05-01T00:00:00.000Z',
  }),
  aProduct({ id: RETIRED, slug: 'retired', name: { en: 'Retired' }, active: false, slots: 'sessions', borrow_days: 7 }),
  aProduct({ id: SECRET_BUNDLE, slug: 'secrets', type: 'bundle', name: { en: 'Secrets' }, published: false }),
];

const categories = [
  aCategory({ id: 1, name: { en: 'Software', ko: '소프트웨어' } }),
  aCategory({ id: 2, parent_id: 1 }),
  aCategory({ id: 3 }),
];

const bundles = [
  aBundle({ id: 1, product_id: BUNDLE, product_ids: [SKILL, TOOL] }),
  aBundle({ id: 2, product_id: SECRET_BUNDLE, name: { en: 'Secret bundle' }, product_ids: [SECRET, OTHER] }),
  aBundle({ id: 3, product_id: RETIRED, name: { en: 'Half hidden' }, product_ids: [SECRET, NOTES] }),
  aBundle({ id: 4, product_id: RETIRED, product_ids: [SKILL], active: false }),
];

/** An inactive lineage, and one that includes an unpublished and a retired product. */
const lineages = [
  aLineage({ id: 2, slug: 'hidden', active: false, product_ids: [TOOL] }),
  aLineage({
    id: 1,
    slug: LINEAGE,
    name: { en: 'Tools', ko: '도구들' },
    product_ids: [RETIRED, SECRET, TOOL, SKILL],
    current_product_id: TOOL,
  }),
];

const disclosure = aDisclosure();

const policy: ClientPolicy = { ...DEFAULT_POLICY, revoked: [{ product_id: TOOL, device_id: STOLEN_DEVICE }] };

/** Minimal content of a product, with a guide as its only file. */
const contentOf = async (service: Service, product_id: number): Promise<ProductContent> => ({
  product_id,
  detail_html: null,
  gallery: [],
  videos: [],
  usage_path: 'docs/guide.md',
  architecture_path: null,
  ai_prompt_path: null,
  assets: [{ path: 'docs/guide.md', content_type: 'text/markdown', ...(await keep(service, GUIDE)) }],
});

const toolContent = async (service: Service): Promise<ProductContent> => {
  const bare = await contentOf(service, TOOL);
  const hero = { path: 'images/hero image.svg', content_type: 'image/svg+xml', ...(await keep(service, HERO)) };
  return {
    ...bare,
    detail_html: { en: '<h2>Sums</h2><p onclick="alert(1)">fast</p><script>alert(1)</script>', ko: '<p>빠름</p>' },
    gallery: [{ path: 'images/one.png', alt: { en: 'One' } }],
    videos: [{ url: 'https://video.example.com/1', title: null }],
    assets: [...bare.assets, hero],
  };
};

const artifact = async (service: Service, version: string, platform: Artifact['platform']): Promise<Artifact> =>
  anArtifact({ ...(await keep(service, artifactBytes(version, platform))), platform, filename: `file-${version}.zip` });

type Draft = Partial<Release> & Pick<Release, 'id' | 'product_id' | 'version' | 'released_at'>;

/** Publishes a release with a file for each platform. The platform null means all platforms. */
export const publish = async (
  service: Service,
  release: Draft,
  platforms: readonly Artifact['platform'][] = [null],
): Promise<void> => {
  const artifacts = await Promise.all(platforms.map((platform) => artifact(service, release.version, platform)));
  const editor = service.get('releaseEditor');
  await editor.save(
    grantPermit(),
    aRelease({ ...release, artifacts }),
    await editor.read(release.product_id, release.version),
  );
};

const publishAll = async (service: Service): Promise<void> => {
  const both: Artifact['platform'][] = ['linux-amd64', 'darwin-arm64'];
  const of = (product_id: number, id: number, version: string, day: string, more: Partial<Release> = {}): Draft => ({
    id,
    product_id,
    version,
    released_at: `${day}T00:00:00.000Z`,
    ...more,
  });
  await publish(service, of(TOOL, 11, '1.0.0', '2025-06-01', { notes_en: 'First.', notes_ko: '처음.' }), both);
  await publish(service, of(TOOL, 12, '1.1.0', '2026-01-10', { notes_en: 'Faster.', source_ref: 'v1.1.0' }), both);
  await publish(service, of(TOOL, 13, '1.2.0-beta.1', '2026-02-01', { channel: 'beta' }), both);
  await publish(service, of(TOOL, 14, '2.0.0-alpha.1', '2026-03-01', { channel: 'alpha' }), ['linux-amd64']);
  await publish(service, of(TOOL, 15, '2.0.0-dev.1', '2026-01-20', { channel: 'dev' }), both);
  const withdrawn = { at: '2026-02-11T00:00:00.000Z', reason: 'It deletes files.' };
  await publish(service, of(TOOL, WITHDRAWN, '1.9.0', '2026-02-10', { withdrawn }), both);
  await publish(service, of(TOOL, SCHEDULED, '9.0.0', '2999-01-01'), both);
  await publish(service, of(SKILL, 21, '1.0.0', '2025-07-01'));
  await publish(service, of(SKILL, 22, '1.10.0', '2026-05-01'));
  await publish(service, of(SKILL, 23, '1.9.0', '2026-06-01'));
  await publish(service, of(NOTES, 31, '2.0', '2025-08-01', { build: '200' }));
  await publish(service, of(NOTES, 32, '2.1b1', '2025-09-01', { channel: 'beta' }));
  await publish(service, of(SECRET, 41, '1.0.0', '2025-10-01'));
};

/**
 * Saves the shop's catalog, policy and releases in an empty store, and counts its orders, as a job of a server does.
 * A store that is not `counted` is one of a former version.
 */
export const openShop = async (service: Service, { counted = true } = {}): Promise<void> => {
  const editor = service.get('catalogEditor');
  for (const value of products) await editor.save(grantPermit(), { kind: 'product', value });
  for (const value of categories) await editor.save(grantPermit(), { kind: 'category', value });
  await editor.save(grantPermit(), { kind: 'tag', value: aTag({ id: 1, name: { en: 'Fast' } }) });
  for (const value of bundles) await editor.save(grantPermit(), { kind: 'bundle', value });
  await service.get('setPolicy')(grantPermit(), policy);
  for (const value of lineages) await editor.save(grantPermit(), { kind: 'lineage', value });
  await editor.save(grantPermit(), { kind: 'disclosure', value: disclosure });
  await editor.save(grantPermit(), { kind: 'storefront', value: A_STOREFRONT });
  await editor.save(grantPermit(), { kind: 'content', value: await toolContent(service) });
  await editor.save(grantPermit(), { kind: 'content', value: await contentOf(service, SECRET) });
  await publishAll(service);
  await keep(service, PUBLISHED);
  await service.get('galleryEditor').save(grantPermit(), [aDraft()]);
  await service.get('galleryEditor').recount(grantPermit());
  if (counted) await service.get('completeSums')(grantPermit());
};
