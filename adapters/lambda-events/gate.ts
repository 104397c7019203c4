import { aroundReply, type Front, SECRET_HEADER, VIEWER_HEADER } from '../host/front.ts';
import { framed, type Host, type HostOptions } from '../host/host.ts';
import type { Reply } from '../host/reply.ts';
import { type GatewayEvent, joinedHeaders, requestOf } from './request.ts';

/** The event of a request that may go on, or the answer to one that may not. */
type Passed = { readonly event: GatewayEvent } | { readonly refused: Promise<Reply> };

/** Decides which events reach a host, and from which address they come. */
export type Gate = (event: GatewayEvent) => Passed;

/** The gate of functions that have no front: every event comes from the address that the gateway names. */
export const OPEN_GATE: Gate = (event) => ({ event });

const isTold = (name: string): boolean => [SECRET_HEADER, VIEWER_HEADER].includes(name.toLowerCase());

const without = <V>(headers: Readonly<Record<string, V>> | null): Record<string, V> =>
  Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !isTold(name)));

/** An event without the headers of the front, from this address. */
const from = (event: GatewayEvent, sourceIp: string): GatewayEvent => ({
  ...event,
  headers: without(event.headers),
  multiValueHeaders: without(event.multiValueHeaders),
  requestContext: { ...event.requestContext, identity: { ...event.requestContext.identity, sourceIp } },
});

/**
 * The gate of functions behind a front. An event that came through it comes from the viewer's address; one that came
 * around it is logged like any other, with the address that the gateway names, and answered 403. The secret reaches no
 * host.
 */
export const gateBehind = (front: Front, options: Pick<HostOptions, 'log' | 'fault'>): Gate => {
  const refuse = framed(options, aroundReply);
  return (event) => {
    const { sourceIp } = event.requestContext.identity;
    const visitor = front(joinedHeaders(event));
    if (visitor.came === 'around') return { refused: refuse(requestOf(event)) };
    return { event: from(event, visitor.came === 'through' ? (visitor.address ?? sourceIp) : sourceIp) };
  };
};

/** The host's answer to an event that passes the gate, or the gate's own. */
export const answerTo = (host: Host, gate: Gate, event: GatewayEvent): Promise<Reply> => {
  const passed = gate(event);
  return 'refused' in passed ? passed.refused : host.handle(requestOf(passed.event));
};
