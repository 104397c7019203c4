import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './carry.ts';
import type { ServerBounds } from './server-bounds.ts';

type Arriving = { readonly req: IncomingMessage; bytesRead: number; leftMs: number };

/**
 * The bodies that arrive on a server. It looks at all of them now and then, so that a request costs no timer. A body
 * may fall behind the least rate by the grace, and bytes that come faster win back no more than the grace.
 */
export class ArrivingBodies {
  readonly #bounds: Pick<ServerBounds, 'bodyBytesPerSecond' | 'bodyGraceMs'>;
  readonly #tooSlow: (socket: Socket) => void;
  readonly #bySocket = new Map<Socket, Arriving>();

  /** `tooSlow` is called once for each body that falls behind by more than the grace. */
  constructor(bounds: Pick<ServerBounds, 'bodyBytesPerSecond' | 'bodyGraceMs'>, tooSlow: (socket: Socket) => void) {
    this.#bounds = bounds;
    this.#tooSlow = tooSlow;
  }

  begin(req: IncomingMessage): void {
    if (!hasBody(req)) return;
    const { socket } = req;
    this.#bySocket.set(socket, { req, bytesRead: socket.bytesRead, leftMs: this.#bounds.bodyGraceMs });
  }

  /** Looks at every body, `passedMs` after the last look. */
  check(passedMs: number): void {
    const { bodyBytesPerSecond, bodyGraceMs } = this.#bounds;
    for (const [socket, arriving] of this.#bySocket) {
      if (arriving.req.complete || socket.destroyed) {
        this.#bySocket.delete(socket);
        continue;
      }
      const wonMs = ((socket.bytesRead - arriving.bytesRead) * 1000) / bodyBytesPerSecond;
      arriving.bytesRead = socket.bytesRead;
      arriving.leftMs = Math.min(bodyGraceMs, arriving.leftMs - passedMs + wonMs);
      if (arriving.leftMs > 0) continue;
      this.#bySocket.delete(socket);
      this.#tooSlow(socket);
    }
  }
}
