import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../domain/delivery/feed-access.ts';
import { type BackwardPair, pairsLaidOpen } from '../../domain/delivery/feed-builds.ts';
import { releaseLine } from '../../domain/delivery/offered-release.ts';
import {
  changedRelease,
  keepsFeedWhole,
  type ReleaseChange,
  type Replacement,
  replacements,
  versionToPublish,
} from '../../domain/delivery/publishing.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { FindProduct } from './products.ts';

type Input = {
  /** The product's id, or its slug. */
  readonly product: string;
  readonly version: string;
  readonly change: ReleaseChange;
  /** True decides and writes nothing. */
  readonly trial?: boolean;
};

export type ChangedRelease = {
  readonly release: Release;
  readonly product: Product;
  readonly result: 'changed' | 'unchanged';
  /** The versions that the clients of the release are offered after the change. */
  readonly offered: readonly Replacement[];
  /** The channel that the release left, and what its clients are offered from then on; null where it stays. */
  readonly left: { readonly channel: Channel; readonly offered: readonly Replacement[] } | null;
  /** The versions between which Sparkle leads clients back from then on, because the release outranked both before. */
  readonly led_back: readonly BackwardPair[];
};

type Refusal =
  | 'product_not_found'
  | 'invalid_version'
  | 'release_not_found'
  | 'release_is_out'
  | 'moment_has_passed'
  | 'build_required'
  | 'breaks_feed';

/**
 * Withdraws, restores, moves or schedules a release, beside the product's other releases as they are at the write. A
 * change that would break the appcast of an application by the release itself is refused; a withdrawal never is.
 */
export const changeRelease = ({
  findProduct,
  pauses,
  releaseEditor,
  versions,
  clock,
}: Needs<'clock' | 'pauses' | 'releaseEditor' | 'versions'> & { findProduct: FindProduct }) => {
  const readRelease = async (product: Product, version: string) => {
    const { id, slug, version_scheme } = product;
    const known = versionToPublish(version, await releaseEditor.released(id), versions.order(version_scheme));
    if (known === undefined) {
      return refuse('invalid_version', {
        message: `"${version}" is not a version of the scheme ${version_scheme}, which ${slug} uses.`,
      });
    }
    const read = await releaseEditor.read(id, known);
    const { release } = read;
    return release
      ? ok({ read, release, released: await releaseEditor.released(id) })
      : refuse('release_not_found', { message: `${slug} has no version ${known}; "release list ${slug}" shows them.` });
  };

  const decide = (
    product: Product,
    before: Release,
    released: readonly Release[],
    change: ReleaseChange,
  ): Outcome<ChangedRelease, 'release_is_out' | 'moment_has_passed' | 'build_required' | 'breaks_feed'> => {
    const now = clock.now();
    const order = versions.order(product.version_scheme);
    const changed = changedRelease(before, change, now);
    if (!changed.ok) return changed;
    const release = changed.value;
    const result = release === before ? 'unchanged' : 'changed';
    if (result === 'changed' && change.kind !== 'withdraw') {
      const whole = keepsFeedWhole(product, { release, result: 'unchanged' }, released, order);
      if (!whole.ok) return whole;
    }
    const all = released.map((one) => (one.id === release.id ? release : one));
    const line = releaseLine(product, all, now, order);
    const { channel } = before;
    const left = channel === release.channel ? null : { channel, offered: replacements({ ...release, channel }, line) };
    const led_back = feedReadersOf(product) === null ? [] : pairsLaidOpen(released, all, order);
    return ok({ release, product, result, offered: replacements(release, line), left, led_back });
  };

  return async (
    permit: Permit,
    { product: named, version, change, trial = false }: Input,
  ): Promise<Outcome<ChangedRelease, Refusal>> => {
    const found = await findProduct(named);
    if (!found.ok) return found;
    return untilWritten(pauses, async () => {
      const read = await readRelease(found.value, version);
      if (!read.ok) return read;
      const changed = decide(found.value, read.value.release, read.value.released, change);
      if (!changed.ok || trial || changed.value.result === 'unchanged') return changed;
      return (await releaseEditor.save(permit, changed.value.release, read.value.read)) ? changed : CONFLICT;
    });
  };
};
