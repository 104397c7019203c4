import { inLocale, type Locale, type Localized, localeServed } from '../shared/locale.ts';
import type { ContentAsset, Manual, ProductContent } from './product.ts';

/** The guides of a product that people can read as pages. */
export const GUIDES = ['manual', 'usage', 'architecture'] as const;
export type GuideKind = (typeof GUIDES)[number];

/** The maximum size of a guide's file that is shown as a page, in bytes. */
export const MAX_GUIDE_BYTES = 256 * 1024;

/** The file of a guide; undefined without one that is Markdown or plain text of at most `MAX_GUIDE_BYTES`. */
export const guideFile = (
  content: ProductContent | undefined,
  kind: Exclude<GuideKind, 'manual'>,
): ContentAsset | undefined =>
  content?.assets.find(
    ({ path, size }) =>
      path === content[`${kind}_path`] && size <= MAX_GUIDE_BYTES && /\.(?:md|markdown|txt)$/i.test(path),
  );

/** The manual and its language; undefined without one that says something. */
export const shownManual = (
  manuals: Localized<Manual> | null,
  locale: Locale,
): { readonly manual: Manual; readonly locale: Locale } | undefined => {
  const [manual, served] = [inLocale(manuals ?? {}, locale), localeServed(manuals ?? {}, locale)];
  const says = manual !== undefined && Object.values(manual).some((part) => part !== null && part.length > 0);
  return says && served !== null ? { manual, locale: served } : undefined;
};
