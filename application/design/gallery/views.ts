import type { Screen, ScreenCard, ScreenFilter, ScreenOrder } from '../../../domain/design/gallery/screen.ts';
import { pagedList } from '../../../domain/shared/paging.ts';
import type { StoredImage } from '../../../domain/shared/stored-file.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { FoundScreens, ShownApp } from './browse.ts';

/** The filters of a request, which are the same for the API and the gallery's pages. */
export type ScreenInput = Omit<ScreenFilter, 'patterns' | 'components'> & {
  /** Comma-separated keys. */
  readonly patterns: string | null;
  readonly components: string | null;
  readonly sort: ScreenOrder;
  readonly cols: number | null;
  readonly page: number;
};

/** The different keys of a comma-separated list. */
const keysOf = (list: string | null): string[] => [
  ...new Set((list ?? '').split(',').flatMap((key) => key.trim() || [])),
];

export const screenFilterOf = ({ sort, cols, page, patterns, components, ...filter }: ScreenInput): ScreenFilter => ({
  ...filter,
  patterns: keysOf(patterns),
  components: keysOf(components),
});

/* Shapes the results of the gallery's use cases for its API, with their URLs on the design host. */

const EXTENSIONS: Readonly<Record<StoredImage['type'], string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

export const imageView = ({ sha256, size, type, width, height }: StoredImage, links: Links) => ({
  url: links.design(`/media/${sha256}.${EXTENSIONS[type]}`),
  sha256,
  size,
  type,
  width,
  height,
});

export const cardView = (card: ScreenCard, links: Links) => ({
  ...card,
  image: imageView(card.image, links),
  thumbnail: imageView(card.thumbnail, links),
  html_url: links.design(`/screens/${card.id}`),
});

export const screenView = ({ page, ...screen }: Screen, links: Links) => ({
  ...screen,
  ...cardView(screen, links),
  page: page && { url: links.design(`/screens/${screen.id}/page`), sha256: page.sha256, size: page.size },
});

export const appView = (app: ShownApp, links: Links) => ({
  ...app,
  flows: app.flows.map((flow) => ({ ...flow, screens: flow.screens.map((card) => cardView(card, links)) })),
});

/** The list of screens; its links repeat the request's filters. */
export const screensView = (
  found: FoundScreens,
  { sort, cols, page: _page, ...filters }: ScreenInput,
  links: Links,
) => {
  const { screens, total, page, per_page } = found;
  const query = { ...filters, sort: sort === 'newest' ? null : sort, cols: cols === null ? null : String(cols) };
  const list = pagedList(
    { entries: screens.map((card) => cardView(card, links)), total, page, per_page },
    { path: links.design('/api/v1/screens'), query },
  );
  return { ...list, meta: { ...list.meta, cols: found.cols } };
};
