import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Permit } from '../../domain/access/permit.ts';
import type { ConsentDecision, ConsentRequest } from '../../domain/sign-in/consent.ts';

/** The seam between the page that asks for consent and the authorization server. Faults of the store throw. */
export type Consents = {
  /** The request that this page is about; null where it is unknown, has ended, or belongs to another browser. */
  find(req: IncomingMessage, res: ServerResponse): Promise<ConsentRequest | null>;
  /**
   * Lets the client in with those of the chosen permissions that it asked for; with none of them it is denied. Returns
   * the URL to go on to, or null where `find` returns null. Until the browser has gone on, the last answer holds.
   */
  approve(req: IncomingMessage, res: ServerResponse, permit: Permit, decision: ConsentDecision): Promise<string | null>;
  /** Turns the client away, and returns the URL to go on to, or null where `find` returns null. */
  deny(req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<string | null>;
};
