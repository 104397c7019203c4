import type { Platform } from '../catalog/platform.ts';
import type { Bundle, ProductContent } from '../catalog/product.ts';
import { isInFeed } from './appcast.ts';
import { feedReadersOf } from './feed-access.ts';
import { claimedPlatforms, comesAsFile, type ProductLine, servedOn } from './supply.ts';

/** A part that a product lacks before buyers get it as its entry says. */
export type ProductGap =
  | { readonly gap: 'no_release' | 'not_in_feed' | 'no_content' | 'empty_bundle' | 'hidden' | 'off_sale' }
  | { readonly gap: 'platforms'; readonly platforms: readonly Platform[] };

/** True where the detail page of a product has a text, a picture, a video or a file. */
export const hasContent = (content: ProductContent | undefined): boolean =>
  content !== undefined &&
  (content.detail_html !== null || content.gallery.length + content.videos.length + content.assets.length > 0);

/** The parts that a product lacks, the most urgent first; an empty list where nothing is missing. */
export const productGaps = (
  line: ProductLine,
  content: ProductContent | undefined,
  bundles: readonly Bundle[],
): ProductGap[] => {
  const { product, offered } = line;
  const own = bundles.find(({ product_id }) => product_id === product.id);
  const unserved = claimedPlatforms(line).filter((platform) => servedOn(line, platform) === undefined);
  const isBare = comesAsFile(product, bundles) && offered.length === 0;
  return [
    ...(isBare ? [{ gap: 'no_release' } as const] : []),
    ...(offered.length > 0 && unserved.length > 0 ? [{ gap: 'platforms', platforms: unserved } as const] : []),
    ...(offered.length > 0 && feedReadersOf(product) !== null && !offered.some(isInFeed)
      ? [{ gap: 'not_in_feed' } as const]
      : []),
    ...(own && own.product_ids.length === 0 ? [{ gap: 'empty_bundle' } as const] : []),
    ...(hasContent(content) ? [] : [{ gap: 'no_content' } as const]),
    ...(product.published ? [] : [{ gap: 'hidden' } as const]),
    ...(product.active ? [] : [{ gap: 'off_sale' } as const]),
  ];
};
