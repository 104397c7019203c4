import { connect, type Socket } from 'node:net';
import { ATTACKS, type AttackName } from './kinds.ts';
import type { Target } from './target.ts';

/** The connections of an attack. The attacker never closes them. */
export class Connections {
  readonly #port: number;
  made = 0;
  readonly #sockets: Socket[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** The bytes of all answers. */
  get received(): number {
    return this.#sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  }

  /** Opens a connection from an address of this machine, by default to the API host. */
  open(from: string, port = this.#port): Socket {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    this.made++;
    this.#sockets.push(socket);
    // A connection that the server resets ends like any other.
    return socket.on('error', () => {});
  }
}

/**
 * The process of one attack: it starts with the first message, and answers each message with the number of its
 * connections.
 */
let connections: Connections | undefined;
process.on('message', ({ name, target }: { name: AttackName; target: Target }) => {
  if (!connections) {
    connections = new Connections(target.port);
    ATTACKS[name].attack(connections, target);
  }
  process.send?.({ made: connections.made, received: connections.received });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
