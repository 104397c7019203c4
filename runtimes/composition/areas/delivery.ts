import { deliveryHandlers } from '../../../adapters/pipeline/handlers/delivery.ts';
import { releaseTickets } from '../../../application/delivery/feeds.ts';
import type { AppcastWriter } from '../../../ports/outbound/delivery.ts';
import { withParts } from '../area.ts';

/** Releases, install plans, downloads and feeds. */
export const delivery = withParts(deliveryHandlers, {
  // The XML library is loaded with the first feed, because most Lambda functions serve no feed.
  appcastWriter: (): AppcastWriter => ({
    write: async (feed) => (await import('../../../adapters/appcast/appcast-xml.ts')).appcastXml(feed),
  }),
  releaseTickets,
});
