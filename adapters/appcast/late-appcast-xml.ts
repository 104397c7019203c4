import type { AppcastWriter } from '../../ports/outbound/appcast-writer.ts';

/** Loads the writer with the first feed: most functions are never asked for one. */
export const appcastWriter: AppcastWriter = {
  write: async (feed) => (await import('./appcast-xml.ts')).appcastXml(feed),
};
