import type { Appcast } from '../../domain/delivery/appcast.ts';

/** Writes a feed in the form in which Sparkle reads it. */
export interface AppcastWriter {
  /** Well-formed XML 1.0 in UTF-8, whatever the texts hold; the same feed gives the same text. */
  write(feed: Appcast): Promise<string>;
}
