import { connect, type Socket } from 'node:net';
import { ATTACKS, type AttackName } from './kinds.ts';
import type { Target } from './target.ts';

/** The connections of an attack. They are never closed from here. */
export class Connections {
  readonly #port: number;
  made = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Opens a connection from an address of this machine. */
  open(from: string): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: from });
    this.made++;
    // A connection that the server resets ends like any other.
    return socket.on('error', () => {});
  }
}

/**
 * The process of one attack: it begins with the first message, and answers each message with the connections that it
 * has made.
 */
let connections: Connections | undefined;
process.on('message', ({ name, target }: { name: AttackName; target: Target }) => {
  if (!connections) {
    connections = new Connections(target.port);
    ATTACKS[name].attack(connections, target);
  }
  process.send?.({ made: connections.made });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
