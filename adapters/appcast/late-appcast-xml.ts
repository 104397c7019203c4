import type { AppcastWriter } from '../../ports/outbound/releases.ts';

/** Loads the XML library with the first feed, because most Lambda functions serve no feed. */
export const appcastWriter: AppcastWriter = {
  write: async (feed) => (await import('./appcast-xml.ts')).appcastXml(feed),
};
