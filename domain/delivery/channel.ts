/** Release channels from the most careful to the most daring (specification, Versioning). */
export const CHANNELS = ['stable', 'beta', 'alpha', 'dev'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Channels widen: a client on `beta` is offered stable and beta releases, one on `dev` all. */
export const channelOffers = (asked: Channel, released: Channel): boolean =>
  CHANNELS.indexOf(released) <= CHANNELS.indexOf(asked);

export const PLATFORMS = ['darwin-arm64', 'darwin-amd64', 'linux-arm64', 'linux-amd64'] as const;
export type Platform = (typeof PLATFORMS)[number];
