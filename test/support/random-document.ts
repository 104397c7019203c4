import fc from 'fast-check';
import { card, entitlement, invoice, item, order, subscription } from './billing-entries.ts';
import { accountEntry, productEntry, releaseEntry } from './store-folder.ts';

/* Random store documents with references between their parts. Their files are those of `FILES`. */

export const FILES = {
  'tool.zip': 'tool',
  'other.zip': 'other',
  'one.delta': 'a patch',
  'shots/a.png': 'a picture',
  'shots/deep/b c.md': '# Text',
  'more/hero.svg': '<svg/>',
};

const instant = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const word = fc.stringMatching(/^[a-zA-Z가-힣 "\\]{1,20}$/).filter((text) => text.trim() !== '');
const name = fc.oneof(
  word.map((en) => ({ en })),
  fc.tuple(word, word).map(([en, ko]) => ({ en, ko })),
);
const ids = [1, 2, 3];

const content = fc.constantFrom<object>(
  {},
  { assets_dir: 'shots', usage_path: 'deep/b c.md', gallery: [{ path: 'a.png' }] },
  { assets_dir: 'more', detail_html: { en: '<img src="hero.svg">' } },
);

const product = (id: number) =>
  fc
    .record({
      name,
      description: maybe(name),
      active: fc.boolean(),
      published: fc.boolean(),
      list_price_cents: maybe(fc.nat(100_000)),
      device_limit: maybe(fc.nat(9)),
      category_ids: fc.subarray([1, 2]),
      tag_ids: fc.subarray([1]),
      thumbnail_html: maybe(fc.constant('<img src="a.png"><img src="hero.svg">')),
      created_at: instant,
      content,
    })
    .map((fields) => productEntry({ id, delivery: { strategy: id === 1 ? 'macos-app' : 'binary' }, ...fields }));

const artifact = fc.record({
  file: fc.constantFrom('tool.zip', 'other.zip'),
  filename: fc.constantFrom(null, '이름 1.0.zip'),
});

const release = (id: number) =>
  fc
    .record({
      channel: fc.constantFrom('stable', 'beta'),
      released_at: instant,
      notes_en: maybe(word),
      withdrawn: fc.option(fc.record({ at: instant, reason: fc.constant('It fails.') }), { nil: undefined }),
      sparkle: fc.constantFrom(undefined, { critical: {} }, { link: 'https://example.com/', informational: {} }),
      artifacts: fc.oneof(
        artifact.map((one) => [one]),
        artifact.map((one) => [{ ...one, deltas: [{ from_build: '1', file: 'one.delta' }] }]),
        fc.tuple(artifact, artifact).map(([a, b]) => [
          { platform: 'linux-amd64', ...a },
          { platform: 'darwin-arm64', ...b },
        ]),
      ),
    })
    .map((fields) => releaseEntry({ id, version: `1.${id}.0`, build: String(10 + id), ...fields }));

const account = (id: number) =>
  fc
    .record({
      name: maybe(word),
      created_at: instant,
      orders: fc.constantFrom(
        [],
        [order({ id: 50 + id, number: `O-${id}`, items: [item({ first_used_at: null })] })],
        [
          order({
            id: 50 + id,
            number: `O-${id}`,
            withdrawal: { declared_at: '2026-02-01T00:00:00.000Z', ticket_id: 3 },
          }),
        ],
      ),
      payment_methods: fc.constantFrom([], [card()], [card({ is_default: true }), card({ id: 70, type: 'wallet' })]),
      limit: maybe(fc.nat(5)),
      revoked_at: maybe(fc.constant('2026-02-01T00:00:00.000Z')),
    })
    .map(({ orders, payment_methods, limit, revoked_at, ...fields }) => {
      const order_id = orders[0]?.id ?? null;
      const billing = { order_id, payment_method_id: payment_methods[0]?.id ?? null };
      return accountEntry({
        id,
        ...fields,
        ...(limit !== null && { requests_per_minute: limit + 1 }),
        orders,
        payment_methods,
        invoices: order_id === null ? [] : [invoice({ id: 60 + id, number: `I-${id}`, order_id })],
        entitlements: [
          entitlement({ order_id, order_item_id: order_id && 1, device_limit: limit, revoked_at }),
          entitlement({ id: 80, product_id: 2, order_id: null, order_item_id: null, grant_type: 'gift' }),
        ],
        subscriptions: [
          subscription({ billing: limit === null ? null : billing }),
          subscription({ id: 90, product_ids: ids, units: { [String(ids[0])]: 5 } }),
        ],
      });
    });

const policy = fc.record({
  min_client_version: fc.constant('1.4.0'),
  ttl_days: fc.integer({ min: 1, max: 365 }),
  recheck_hours: fc.integer({ min: 1, max: 100 }),
  revoked: fc.subarray([
    { product_id: 2, device_id: 'b' },
    { product_id: 1, device_id: 'a' },
  ]),
});

/** The parts of a store document. */
export const aRandomDocument = fc.record({
  categories: fc.tuple(name, name).map(([a, b]) => [
    { id: 1, name: a },
    { id: 2, parent_id: 1, name: b },
  ]),
  tags: name.map((tag) => [{ id: 1, name: tag }]),
  products: fc.tuple(product(1), product(2), product(3)),
  releases: fc.oneof(fc.constant([]), fc.tuple(release(1)), fc.tuple(release(1), release(2))),
  bundles: fc.constantFrom([], [{ id: 1, product_id: 3, name: { en: 'All' }, product_ids: [1, 2] }]),
  lineages: fc.constantFrom(
    [],
    [{ id: 1, slug: 'line', name: { en: 'Line' }, product_ids: [1, 2], current_product_id: 1 }],
  ),
  policy: fc.option(policy, { nil: undefined }),
  taxonomy: fc.constantFrom(undefined, { patterns: [{ key: 'wizard', name: { en: 'Wizard' } }] }),
  accounts: fc.oneof(fc.constant([]), fc.tuple(account(1), account(2))),
});
