import type { ApiKey } from '../../domain/access/api-key.ts';
import { checkProductScope } from '../../domain/access/gates.ts';
import { appcastOf } from '../../domain/delivery/appcast.ts';
import { feedOf, feedReach, isOpenToAll } from '../../domain/delivery/feed-access.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { AppcastWriter } from '../../ports/outbound/appcast-writer.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Releases } from '../../ports/outbound/releases.ts';
import type { ReadAccess } from '../access/read-access.ts';
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
  /** Null: nobody is known to ask. */
  readonly key: ApiKey | null;
  /** Null is no id that a product could have. */
  readonly productId: number | null;
  readonly channel: string | null;
};

type Refusal = 'not_found' | 'missing_api_key' | 'product_entitlement_required' | 'product_api_key_scope_required';

/** The Sparkle 2 appcast of an application, as whoever asks may see it. */
export class ShowAppcast {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, productId, channel }: Input): Promise<Outcome<string, Refusal>> {
    const { catalogs, releases, readAccess, releaseTickets, appcastWriter, links } = this.#ports;
    const scoped = key && checkProductScope(key, productId ?? 0);
    if (scoped && !scoped.ok) return scoped;
    const catalog = await catalogs.current();
    const product = productId === null ? undefined : catalog.products.get(productId);
    if (!product || feedOf(product) === null) return refuse('not_found', { message: 'There is no such product.' });
    const [access, released] = await Promise.all([
      key && readAccess.execute(key.account_id, product, catalog),
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
          ticket: key && !isOpenToAll(product) ? releaseTickets.issue(key.account_id, id) : null,
        }),
    );
    return ok(await appcastWriter.write(feed));
  }
}
