import type { Appcast } from '../../domain/delivery/appcast.ts';

/** Writes a feed in the XML form that Sparkle 2 reads. */
export interface AppcastWriter {
  /** Well-formed XML 1.0 in UTF-8, for any texts of the feed. The same feed gives the same text. */
  write(feed: Appcast): Promise<string>;
}
