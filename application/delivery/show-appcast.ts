import { appcastOf } from '../../domain/delivery/appcast.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../domain/delivery/feed-access.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type Asked, type Ports as FeedPorts, type Refusal, readFeed } from './read-feed.ts';

export type Ports = FeedPorts & Needs<'appcastWriter' | 'clock' | 'links'>;

export type Input = Asked & { readonly channel: Channel | null };

/** The Sparkle 2 appcast of an application, with the offered releases that the caller may use (`readFeed`). */
export const showAppcast = (ports: Ports) => {
  const { appcastWriter, links, clock } = ports;
  const read = readFeed(ports, feedReadersOf);

  return async ({ channel, ...asked }: Input): Promise<Outcome<string, Refusal>> => {
    const source = await read(asked);
    if (!source.ok) return source;
    const { product, releases, updates_until, ticketOf } = source.value;
    const feed = appcastOf(
      product,
      releases,
      { channel, updates_until, now: clock.now() },
      links.appcast(product.id),
      ({ id }, { platform }, delta) =>
        links.releaseDownload(id, { platform, delta: delta?.from_build ?? null, ticket: ticketOf(id) }),
    );
    return ok(await appcastWriter.write(feed));
  };
};

export type ShowAppcast = ReturnType<typeof showAppcast>;
