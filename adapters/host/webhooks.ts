import type { ReceiveEvent } from '../../application/sales/receive-event.ts';
import { actorOf } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ANYONE } from '../../domain/access/principal.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';
import { MAX_EVENT_BYTES } from '../../domain/sales/payment-event.ts';
import type { JsonBodies } from './bodies.ts';
import type { HostRoute } from './host.ts';
import { jsonReply, NO_STORE, refusalReply } from './reply.ts';

/**
 * The route of payment providers' events. The provider's signature of the body authenticates them, not a credential.
 * The reply to a trusted event is 200, whatever its outcome; 400 is for a wrong or old signature, 404 for a provider
 * that is not configured. A fault is 5xx, so that the provider delivers the event again.
 */
export const webhooksRoute = (receive: () => ReceiveEvent, bodies: JsonBodies): HostRoute => ({
  method: 'POST',
  path: '/webhooks/{provider}',
  // A sale has several events, and a provider sends all of them from a few addresses.
  counts: 'bulk',
  entry: async (request, { provider = '' }) => {
    const raw = await bodies.readBytes(request, MAX_EVENT_BYTES, ownerOf(ANYONE, request.address));
    if (!raw.ok) return refusalReply(raw);
    const received = await receive()({ provider, raw: raw.value, headers: request.headers });
    if (typeof received !== 'function') return refusalReply(received);
    // The signature replaces the guards.
    const permit = grantPermit(() => actorOf(ANYONE, `webhook ${provider}`, request.address()));
    const { value } = await received({ permit, access: undefined });
    return jsonReply(200, value, { 'cache-control': NO_STORE });
  },
});
