import type { Product } from '../../domain/catalog/product.ts';
import { CHANNELS, type Channel, channelOffers } from '../../domain/delivery/channel.ts';
import { releaseLine } from '../../domain/delivery/offered-release.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { inLocale, type Locale, textOrNull } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'releases' | 'versions'>;

/** The release notes in the locale, or else in the other language; null where there are none but blank ones. */
export const notesIn = ({ notes_en, notes_ko }: Release, locale: Locale): string | null =>
  inLocale({ en: notes_en ?? undefined, ko: notes_ko ?? undefined }, locale) ?? null;

/**
 * The releases that a channel offers, newest first (ProductReleaseData of the specification), and the channels that have
 * releases, so that a product with pre-releases alone doesn't look like one without any.
 */
export const listReleases =
  ({ releases, versions, clock }: Ports) =>
  async ({ product, channel, locale }: { product: Product; channel: Channel; locale: Locale }) => {
    const all = (await releases.of([product.id])).get(product.id) ?? [];
    const { offered } = releaseLine(product, all, clock.now(), versions.order(product.version_scheme));
    return {
      releases: offered
        .filter((release) => channelOffers(channel, release.channel))
        .map((release) => ({
          id: release.id,
          product_id: product.id,
          version: release.version,
          notes_ko: textOrNull(release.notes_ko),
          notes_en: textOrNull(release.notes_en),
          notes: notesIn(release, locale),
          released_at: release.released_at,
        })),
      channels: CHANNELS.filter((one) => offered.some((release) => release.channel === one)),
    };
  };

export type ListReleases = ReturnType<typeof listReleases>;
