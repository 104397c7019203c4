import type { Product } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { InstallRefusal } from '../../domain/delivery/offered-release.ts';
import { currentBundle, releaseLine } from '../../domain/delivery/offered-release.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Download } from '../shared/download.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';

export type Ports = Needs<'clock' | 'objects' | 'productUses' | 'releases' | 'versions'>;

/**
 * The current bundle file of a product. A release beyond the account's update window is refused. Bytes that are sent
 * are a use of the product; the offer of a file is none.
 */
export const openBundle =
  ({ releases, versions, objects, productUses, clock }: Ports) =>
  async (input: {
    accountId: number;
    product: Product;
  }): TwoSteps<Outcome<Download, InstallRefusal>, GrantedAccess> => {
    const { accountId, product } = input;
    const { id } = product;
    const [released, known] = await Promise.all([releases.of([id]), productUses.of(accountId)]);
    return async ({ permit, access }: Clearance<GrantedAccess>) => {
      const order = versions.order(product.version_scheme);
      const line = releaseLine(product, released.get(id) ?? [], clock.now(), order);
      const current = currentBundle(line, access.updates_supported_until);
      if (!current.ok) return current;
      const { filename, sha256, size } = current.value.artifact;
      return ok({
        filename,
        sha256,
        size,
        open: async (range) => {
          const opened = await objects.open(objectKeyOf(sha256), range);
          if (!opened) return undefined;
          const use = { product_id: id, used_at: clock.now() };
          try {
            await productUses.note(permit, accountId, known, [use]);
          } catch (fault) {
            opened.stream.destroy();
            throw fault;
          }
          return opened.stream;
        },
      });
    };
  };

export type OpenBundle = ReturnType<typeof openBundle>;
