import { GUIDES, type GuideKind, guideFile, shownManual } from '../../domain/catalog/guide.ts';
import type { Manual } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { OpenedObject } from '../../ports/outbound/object-store.ts';

/** A guide of a product: its manual in a language, or a file of at most `MAX_GUIDE_BYTES`. */
export type Guide =
  | { readonly kind: 'manual'; readonly manual: Manual; readonly locale: Locale }
  | {
      readonly kind: Exclude<GuideKind, 'manual'>;
      readonly sha256: string;
      /** The bytes; undefined if the object store lacks them. The caller reads or destroys the stream. */
      readonly open: () => Promise<OpenedObject['stream'] | undefined>;
    };

/** The guides of a product for an account that may use it now; undefined for any other account. */
export const listGuides = ({
  catalogs,
  clock,
  licenses,
  objects,
}: Needs<'catalogs' | 'clock' | 'licenses' | 'objects'>) =>
  async function listGuides({
    account_id,
    product_id,
    locale,
  }: {
    account_id: number;
    product_id: number;
    locale: Locale;
  }): Promise<{ readonly name: string; readonly guides: readonly Guide[] } | undefined> {
    const [{ products, bundles }, holdings] = await Promise.all([catalogs.current(), licenses.held(account_id)]);
    const product = products.get(product_id);
    if (!product || !accessTo(product, bundles, holdings, clock.now()).granted) return undefined;
    const content = await catalogs.content(product_id);
    const guides = GUIDES.flatMap((kind): Guide[] => {
      if (kind === 'manual') {
        const manual = shownManual(product.manual, locale);
        return manual ? [{ kind, ...manual }] : [];
      }
      const file = guideFile(content, kind);
      if (!file) return [];
      const { sha256 } = file;
      return [{ kind, sha256, open: async () => (await objects.open(objectKeyOf(sha256)))?.stream }];
    });
    return { name: inLocale(product.name, locale) ?? '', guides };
  };
