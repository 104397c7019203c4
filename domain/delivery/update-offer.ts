import type { Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type Channel, channelOffers } from './channel.ts';
import { currentRelease } from './current-release.ts';
import { chooseInstall, type InstallChoice, platformsThereAre, widerChannel } from './install-plan.ts';
import { type Artifact, artifactFor, isCovered, type Release } from './release.ts';
import type { ReleaseLine } from './release-line.ts';

/** The channel and the platform of a client that asks for updates. Null: the client does not name a platform. */
export type UpdateWish = { readonly channel: Channel; readonly platform: Platform | null };

export type UpdateOffer = {
  /** The newest release of the channel; with a platform, the newest that has a file for it. */
  readonly current: Release;
  /** The file of the current release; null where each platform has its own and the client named none. */
  readonly artifact: Artifact | null;
  /** True where the client may download that file: there is one, and the update window covers it. */
  readonly allowed: boolean;
  /**
   * The release that an install plan gives where the window does not cover the current one; null where it covers it.
   */
  readonly covered: InstallChoice | null;
};

const noUpdate = (line: ReleaseLine, channel: Channel, platform: Platform | null): string => {
  const released = line.offered.filter((release) => channelOffers(channel, release.channel));
  return released.length > 0
    ? `No release of this product on channel ${channel} has a file for ${platform}; ${platformsThereAre(released, line)}.`
    : (widerChannel(line, channel) ?? 'This product has no release yet.');
};

/** The update of a product for a client, whether or not the client has it already. */
export const offerUpdate = (
  line: ReleaseLine,
  updatesUntil: Instant | null,
  { channel, platform }: UpdateWish,
): Outcome<UpdateOffer, 'not_found'> => {
  const current = currentRelease(line, channel, platform);
  if (!current) return refuse('not_found', { message: noUpdate(line, channel, platform) });
  const artifact = artifactFor(current, platform, line.platforms) ?? null;
  const isWithin = isCovered(current, updatesUntil);
  const plan = isWithin ? null : chooseInstall(line, updatesUntil, { channel, platform, release: null });
  return ok({
    current,
    artifact,
    allowed: isWithin && artifact !== null,
    covered: plan?.ok ? plan.value : null,
  });
};
