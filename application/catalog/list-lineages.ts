import type { Locale } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import { lineageSummary } from './lineage-views.ts';

export type Ports = { catalogs: Catalogs };

/** The active lineages, by id. */
export const listLineages =
  ({ catalogs }: Ports) =>
  async ({ locale }: { locale: Locale }) => {
    const { lineages, products } = await catalogs.current();
    const active = lineages.filter((lineage) => lineage.active);
    return { lineages: active.map((lineage) => lineageSummary(lineage, products, locale)) };
  };

export type ListLineages = ReturnType<typeof listLineages>;
