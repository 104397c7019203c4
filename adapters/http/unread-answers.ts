import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countedAddress } from '../../domain/access/rate-limit.ts';

/** Bytes of whole answers that a process holds for readers who have not taken them. */
const UNREAD_BYTES = 64 * 1024 * 1024;

/** The unread answers of one address, the oldest first. */
type AddressAnswers = {
  bytes: number;
  readonly answers: Map<ServerResponse, { readonly socket: Socket; readonly bytes: number }>;
};

/**
 * The whole answers that the connections of a process have not taken yet. Such an answer waits in memory until the
 * network takes it, so that readers who stop could fill the memory with the largest answers that they may ask for. Over
 * the bound, the address that holds most loses its oldest connection, so that one who stalls cuts off nobody else.
 */
export class UnreadAnswers {
  readonly #bytes: number;
  readonly #byAddress = new Map<string, AddressAnswers>();
  #count = 0;
  #held = 0;

  constructor(bytes = UNREAD_BYTES) {
    this.#bytes = bytes;
  }

  /** Watches an answer from before its end on. `cutOff` gets connections to end, of this answer or of other ones. */
  watch(res: ServerResponse, cutOff: (socket: Socket) => void): void {
    res.once('prefinish', () => {
      const { socket } = res;
      // The network takes nearly every answer at once.
      if (socket === null || socket.writableLength === 0) return;
      this.#hold(res, socket);
      // A single answer over the bound has to be delivered all the same.
      while (this.#held > this.#bytes && this.#count > 1) cutOff(this.#takeOldest());
    });
  }

  /** The bytes of all unread answers. */
  get bytes(): number {
    return this.#held;
  }

  #hold(res: ServerResponse, socket: Socket): void {
    const address = countedAddress(socket.remoteAddress ?? '');
    const held = this.#byAddress.get(address) ?? { bytes: 0, answers: new Map() };
    const bytes = socket.writableLength;
    held.answers.set(res, { socket, bytes });
    held.bytes += bytes;
    this.#byAddress.set(address, held);
    this.#held += bytes;
    this.#count++;
    res.once('close', () => this.#release(address, res));
  }

  #release(address: string, res: ServerResponse): void {
    const held = this.#byAddress.get(address);
    const answer = held?.answers.get(res);
    if (!held || !answer) return;
    held.answers.delete(res);
    held.bytes -= answer.bytes;
    this.#held -= answer.bytes;
    this.#count--;
    if (held.answers.size === 0) this.#byAddress.delete(address);
  }

  #takeOldest(): Socket {
    const [address, { answers }] = this.#byAddress.entries().reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));
    const [res, { socket }] = answers.entries().next().value as [ServerResponse, { readonly socket: Socket }];
    this.#release(address, res);
    return socket;
  }
}
