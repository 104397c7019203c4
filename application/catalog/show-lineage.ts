import type { Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import { lineageView } from './lineage-views.ts';

export type Ports = { catalogs: Catalogs };

/** One active lineage and its published products. An inactive lineage is refused like an unknown slug. */
export const showLineage =
  ({ catalogs }: Ports) =>
  async ({ slug, locale }: { slug: string; locale: Locale }) => {
    const { lineages, products } = await catalogs.current();
    const lineage = lineages.find((one) => one.active && one.slug === slug);
    return lineage
      ? ok({ lineage: lineageView(lineage, products, locale) })
      : refuse('not_found', { message: 'There is no such lineage.' });
  };

export type ShowLineage = ReturnType<typeof showLineage>;
