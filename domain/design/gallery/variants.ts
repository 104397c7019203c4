import type { Locale } from '../../shared/locale.ts';
import type { ScreenCard } from './screen.ts';

/** A URL without its language parts, so that `/ko/terms` and `/en/terms` are one page. */
export const addressInAnyLanguage = (url: string): string => url.replace(/([/=])(?:ko|en)(?=[/?&#]|$)/g, '$1');

const pageOf = ({ app, flow, step, platform, url }: ScreenCard): string =>
  JSON.stringify([app, flow.slug, step, platform, addressInAnyLanguage(url)]);

const lookOf = ({ viewport, lang, mode }: ScreenCard): string => [viewport, lang, mode].join();

/** A sort key: the reader's language, light colors and the desktop come first. */
const rankOf = ({ viewport, lang, mode }: ScreenCard, locale: Locale): string =>
  [Number(lang !== locale), lang, Number(mode !== 'light'), viewport].join();

/**
 * The screens in groups: a group shows one page in different viewports, languages or color modes, the best one for the
 * reader first. A group is at the position of its first screen.
 */
export const variantsOf = (screens: readonly ScreenCard[], locale: Locale): ScreenCard[][] => {
  const groups: ScreenCard[][] = [];
  for (const screen of screens) {
    const group = groups.find((all) =>
      all.every((one) => pageOf(one) === pageOf(screen) && lookOf(one) !== lookOf(screen)),
    );
    if (group) group.push(screen);
    else groups.push([screen]);
  }
  return groups.map((group) => group.toSorted((a, b) => (rankOf(a, locale) < rankOf(b, locale) ? -1 : 1)));
};
