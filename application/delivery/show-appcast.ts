import type { ProductScope } from '../../domain/access/principal.ts';
import { appcastOf } from '../../domain/delivery/appcast.ts';
import { feedReach, feedReadersOf, isOpenToAll } from '../../domain/delivery/feed-access.ts';
import { noSuchProduct, targetProduct } from '../../domain/licensing/product-gate.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { AppcastWriter } from '../../ports/outbound/appcast-writer.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Releases } from '../../ports/outbound/releases.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import type { ReleaseTickets } from './release-tickets.ts';

type Ports = {
  catalogs: Catalogs;
  releases: Releases;
  readAccess: ReadAccess;
  releaseTickets: ReleaseTickets;
  appcastWriter: AppcastWriter;
  links: Links;
};

type Input = {
  /** The calling account; null for a request without a credential. */
  readonly asking: { readonly accountId: number; readonly scope: ProductScope } | null;
  /** Null stands for a path value that is no id. */
  readonly productId: number | null;
  readonly channel: string | null;
};

type Refusal = 'not_found' | 'missing_api_key' | 'product_entitlement_required' | 'product_api_key_scope_required';

/** The Sparkle 2 appcast of an application, with the releases that the caller may use. */
export class ShowAppcast {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ asking, productId, channel }: Input): Promise<Outcome<string, Refusal>> {
    const { catalogs, releases, readAccess, releaseTickets, appcastWriter, links } = this.#ports;
    const catalog = await catalogs.current();
    const target = targetProduct(catalog.products, asking?.scope ?? null, productId);
    if (!target.ok) return target;
    const product = target.value;
    if (feedReadersOf(product) === null) return noSuchProduct();
    const [access, released] = await Promise.all([
      asking && readAccess.execute(asking.accountId, product, catalog),
      releases.of([product.id]),
    ]);
    const reach = feedReach(product, access);
    if (!reach.ok) return reach;
    const feed = appcastOf(
      product,
      released.get(product.id) ?? [],
      { channel, ...reach.value },
      links.appcast(product.id),
      ({ id }, { platform }, delta) =>
        links.releaseDownload(id, {
          platform,
          delta: delta?.from_build ?? null,
          ticket: asking && !isOpenToAll(product) ? releaseTickets.issue(asking.accountId, id) : null,
        }),
    );
    return ok(await appcastWriter.write(feed));
  }
}
