import type { Socket } from 'node:net';
import { countedAddress } from '../../domain/access/rate-limit.ts';
import { Places } from '../host/places.ts';

export type ConnectionBounds = {
  /** Connections that a process serves at once. */
  readonly all: number;
  /** Connections of one network address at once; an IPv6 network of 64 bits counts as one address. */
  readonly perAddress: number;
};

/**
 * The bounds of a process unless it is told others. A browser holds six connections to a host, and 256 carry a whole
 * office behind one address. An idle connection takes about 10 KB, so that 4,096 take some 40 MB.
 */
export const CONNECTION_BOUNDS: ConnectionBounds = { all: 4096, perAddress: 256 };

/**
 * The connections of a process, over all of its servers. An address for which `isExempt` answers true, such as a
 * trusted proxy's, carries the requests of many clients, and counts in the process's bound alone.
 */
export class ConnectionLimits {
  readonly #places: Places;
  readonly #isExempt: (address: string) => boolean;
  #refused = 0;

  constructor({ all, perAddress }: ConnectionBounds, isExempt: (address: string) => boolean = () => false) {
    this.#places = new Places({ all, ofOwner: perAddress });
    this.#isExempt = isExempt;
  }

  /** True if the connection is within the bounds. It then counts until it closes. */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const giveBack = this.#places.take(this.#isExempt(remoteAddress) ? undefined : countedAddress(remoteAddress));
    if (giveBack) socket.once('close', giveBack);
    else this.#refused++;
    return giveBack !== undefined;
  }

  /** The connections that count just now. */
  get open(): number {
    return this.#places.taken;
  }

  /** The connections that were beyond the bounds since the process started. */
  get refused(): number {
    return this.#refused;
  }
}
