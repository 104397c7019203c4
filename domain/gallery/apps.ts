import { APPS, type AppSlug } from '../collect/run.ts';

const NAMES: Readonly<Record<AppSlug, string>> = {
  core: 'Core',
  accounts: 'Accounts',
  app: 'App',
  asset: 'Assets',
  lecture: 'Lectures',
  support: 'Support',
  design: 'Design',
};

/** An app of the gallery. Its id is its place in APPS, from 1 on. */
export type GalleryApp = { readonly id: number; readonly slug: AppSlug; readonly name: string };

export const GALLERY_APPS: readonly GalleryApp[] = APPS.map((slug, n) => ({ id: n + 1, slug, name: NAMES[slug] }));
