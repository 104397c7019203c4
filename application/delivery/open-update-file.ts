import type { Platform } from '../../domain/catalog/platform.ts';
import { updateReadersOf } from '../../domain/delivery/feed-access.ts';
import { releaseLine } from '../../domain/delivery/offered-release.ts';
import { noSuchRelease } from '../../domain/delivery/release-file.ts';
import {
  type ElectronFeed,
  electronFeed,
  feedNamed,
  fileNamed,
  type VelopackAsset,
  velopackFeed,
} from '../../domain/delivery/update-feeds.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { DownloadRelease, Refusal } from './download-release.ts';
import { type Asked, type Ports as FeedPorts, readFeed } from './read-feed.ts';

export type { Refusal } from './download-release.ts';

export type Ports = FeedPorts & Needs<'clock' | 'versions'> & { downloadRelease: DownloadRelease };

export type Input = Asked & {
  /** The name of a feed (`feedNamed`), or of a file of a release. */
  readonly file: string;
  /** The release that the link of a feed names, and the platform of the file; null for any. */
  readonly release: number | null;
  readonly platform: Platform | null;
  readonly ticket: string | null;
};

/** A feed, or the signed URL of a file that a feed names. */
export type UpdateFile = ElectronFeed | { readonly Assets: readonly VelopackAsset[] } | string;

/**
 * The folder that electron-updater's generic provider and Velopack's web source read: their feeds by their own names,
 * with the offered releases that the caller may use (`readFeed`), and the files that the feeds name (`downloadRelease`).
 */
export const openUpdateFile = (ports: Ports) => {
  const { releases, versions, clock, downloadRelease } = ports;
  const read = readFeed(ports, updateReadersOf);

  const openFile = async (input: Input): Promise<Outcome<string, Refusal>> => {
    const { asking, productId, ticket } = input;
    const released = productId === null ? [] : ((await releases.of([productId])).get(productId) ?? []);
    const named = fileNamed(released, input.file, input);
    if (!named) return noSuchRelease();
    const { platform } = named.artifact;
    return downloadRelease({ asking, releaseId: named.release.id, platform, delta: null, ticket });
  };

  return async (input: Input): Promise<Outcome<UpdateFile, Refusal>> => {
    const named = feedNamed(input.file);
    if (!named) return openFile(input);
    const source = await read(input);
    if (!source.ok) return source;
    const { product, updates_until, ticketOf } = source.value;
    const now = clock.now();
    const line = releaseLine(product, source.value.releases, now, versions.order(product.version_scheme));
    const reader = { channel: named.channel, updates_until, now };
    if (named.updater === 'velopack') return ok(velopackFeed(line, named.mark, reader));
    const feed = electronFeed(line, named.mark, reader, ticketOf);
    if (feed) return ok(feed);
    return refuse('install_not_available', {
      message: `No release on channel ${named.channel} has a file that electron-updater can install by ${input.file}.`,
    });
  };
};

export type OpenUpdateFile = ReturnType<typeof openUpdateFile>;
