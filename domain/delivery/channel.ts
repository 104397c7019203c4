/** Release channels, most stable first. */
export const CHANNELS = ['stable', 'beta', 'alpha', 'dev'] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * True if a client on the channel `requested` is offered releases of `released`: those of its own channel and of every
 * more stable one.
 */
export const channelOffers = (requested: Channel, released: Channel): boolean =>
  CHANNELS.indexOf(released) <= CHANNELS.indexOf(requested);
