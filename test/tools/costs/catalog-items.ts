import { itemOf } from '../../../adapters/store/item-of.ts';
import { catalogKeys } from '../../../adapters/store/keys/catalog.ts';
import { deliveryKeys } from '../../../adapters/store/keys/delivery.ts';
import { supplyItem } from '../../../adapters/store/supplies.ts';
import type { NewItem } from '../../../adapters/store/table.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { versions } from '../../../adapters/versions/versions.ts';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import type { Localized } from '../../../domain/shared/locale.ts';
import { anArtifact, aProduct, aRelease } from '../../support/builders.ts';

/** The products of the shop of the tests have lower ids. */
const FIRST_PRODUCT = 1_000_000;
const RELEASES = 3;

const SYLLABLES = ['ta', 'ri', 'mo', 'ke', 'su', 'no', 'la', 'vi', 'pe', 'cho', 'dan', 'el', 'for', 'gi', 'har', 'ist'];

/** Words that follow from a seed, so that they compress as badly as those of a language. */
const wordsOf = (seed: number, count: number): string => {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = () => Array.from({ length: 1 + next(4) }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
  return Array.from({ length: count }, word).join(' ');
};

const text = (seed: number, count: number): Localized => ({ en: wordsOf(seed, count), ko: wordsOf(seed + 7, count) });

/** A product of about 3 KB of JSON, whose files are for two platforms. */
const productOf = (id: number) =>
  aProduct({
    id,
    name: text(id, 3),
    description: text(id * 3, 90),
    setup_steps: [text(id * 5, 15), text(id * 7, 15)],
    delivery: { ...aProduct().delivery, strategy: 'binary' },
    platforms: ['mac', 'windows'],
  });

const releasesOf = (product_id: number) =>
  Array.from({ length: RELEASES }, (_, n) =>
    aRelease({
      id: product_id * 10 + n,
      product_id,
      version: `1.${n}.0`,
      notes_en: wordsOf(product_id + n, 60),
      notes_ko: wordsOf(product_id - n, 60),
      artifacts: PLATFORMS.slice(0, 2).map((platform) => anArtifact({ platform, signature: 's'.repeat(88) })),
    }),
  );

/** The items of products with their releases, as saves would write them. */
export function* catalogItems(products: number): Generator<NewItem> {
  for (let id = FIRST_PRODUCT; id < FIRST_PRODUCT + products; id++) {
    yield itemOf(catalogKeys.record('product', id), productOf(id));
    const releases = releasesOf(id);
    for (const release of releases) yield itemOf(deliveryKeys.release(id, release.version), release);
    yield itemOf(deliveryKeys.ledger(id), { release_id: id });
    yield supplyItem(id, releases, { clock: systemClock, versions });
  }
}
