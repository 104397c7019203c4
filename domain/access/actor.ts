import type { Principal } from './principal.ts';
import { countedAddress } from './rate-limit.ts';

/**
 * The kinds of actors that change the store: a command of the operator, a script of the shop, an API key, a client that
 * signed in by OAuth, a browser on the account's pages, an agent's token, a member of the shop in the console, a caller
 * without a credential, or the service itself.
 */
export const ACTOR_KINDS = [
  'command',
  'script',
  'key',
  'client',
  'page',
  'agent',
  'member',
  'anyone',
  'service',
] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The actor of a change, for the audit log. It contains no secrets and no buyers' names. */
export type Actor = {
  readonly kind: ActorKind;
  /**
   * The id of the key, of the client, of the browser's session, of the agent's token or of the member's account; the
   * operator's user name on the machine; the name of a script; null for anyone and for the service.
   */
  readonly id: string | null;
  /** The name of the token or of the member; absent for other actors. */
  readonly name?: string;
  /** The account that the actor acts for; null if there is none. */
  readonly account_id: number | null;
  /** The command, the endpoint or the page that was used; null for a script and the service. */
  readonly through: string | null;
  /** The IP address of a request, with IPv6 cut to 64 bits, or the name of the operator's machine. */
  readonly from: string | null;
};

/** The service itself, such as its worker, its first start, or a check of its store. */
export const SERVICE: Actor = { kind: 'service', id: null, account_id: null, through: null, from: null };

/** A program of the shop that calls use cases, such as a nightly job. */
export const scriptNamed = (name: string): Actor => ({ ...SERVICE, kind: 'script', id: name });

/** Parses a filter for actors: all of a kind (`key`), or one (`key:42`); null for any other text. */
export const actorsNamed = (text: string): Pick<Actor, 'kind' | 'id'> | null => {
  const [name = ''] = text.split(':', 1);
  const kind = ACTOR_KINDS.find((one) => one === name);
  const id = text.slice(name.length + 1);
  return kind && (text === kind || id !== '') ? { kind, id: text === kind ? null : id } : null;
};

/** The maximum length of an address in an entry. The longest address from a mount has 43 characters. */
const ADDRESS_LENGTH = 64;

const seenFrom = (address: string): string => countedAddress(address).slice(0, ADDRESS_LENGTH);

/** The actor of a device sign-in whose account is not known yet. */
export const waitingDevice = (clientId: string, address: string): Actor => ({
  kind: 'client',
  id: clientId,
  account_id: null,
  through: 'device sign-in',
  from: seenFrom(address),
});

/** The actor of a request. `through` names its endpoint or page. */
export const actorOf = (principal: Principal, through: string, address: string): Actor => {
  const common = { through, from: seenFrom(address) };
  if (principal.kind === 'anyone') return { kind: 'anyone', id: null, account_id: null, ...common };
  if (principal.kind === 'agent') {
    const { id, name } = principal;
    return { kind: 'agent', id: String(id), name, account_id: null, ...common };
  }
  if (principal.kind === 'member') {
    const { account_id: id, name } = principal;
    return { kind: 'member', id: String(id), name, account_id: null, ...common };
  }
  const { account_id, credential } = principal;
  switch (credential.kind) {
    case 'key':
      return { kind: 'key', id: String(credential.key.id), account_id, ...common };
    case 'token':
      return { kind: 'client', id: credential.client_id, account_id, ...common };
    case 'session':
      return { kind: 'page', id: String(credential.session_id), account_id, ...common };
  }
};
