import type { Channel } from '../../domain/delivery/channel.ts';
import { updateReadersOf } from '../../domain/delivery/feed-access.ts';
import { releaseLine } from '../../domain/delivery/offered-release.ts';
import {
  hasUpdaterSignature,
  type TauriClient,
  type TauriUpdate,
  tauriUpdate,
} from '../../domain/delivery/update-feeds.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type Asked, type Ports as FeedPorts, type Refusal as FeedRefusal, readFeed } from './read-feed.ts';

export type Ports = FeedPorts & Needs<'clock' | 'links' | 'versions'>;

export type Input = Asked & TauriClient & { readonly channel: Channel };

export type Refusal = FeedRefusal | 'install_not_available';

/**
 * The update of an application by Tauri's updater, among the offered releases that the caller may use (`readFeed`);
 * null where there is none. A product none of whose files has the updater's signature is refused, so that a publisher
 * who forgot it hears of it.
 */
export const showTauriUpdate = (ports: Ports) => {
  const { links, versions, clock } = ports;
  const read = readFeed(ports, updateReadersOf);

  return async ({ asking, productId, channel, ...client }: Input): Promise<Outcome<TauriUpdate | null, Refusal>> => {
    const source = await read({ asking, productId });
    if (!source.ok) return source;
    const { product, releases, updates_until, ticketOf } = source.value;
    const now = clock.now();
    const line = releaseLine(product, releases, now, versions.order(product.version_scheme));
    if (!hasUpdaterSignature(line)) {
      return refuse('install_not_available', {
        message: 'No file of this product has a signature of Tauri’s signer; publish with --updater-signature.',
      });
    }
    const update = tauriUpdate(line, client, { channel, updates_until, now }, ({ id }, { platform }) =>
      links.releaseDownload(id, { platform, delta: null, ticket: ticketOf(id) }),
    );
    return ok(update);
  };
};

export type ShowTauriUpdate = ReturnType<typeof showTauriUpdate>;
