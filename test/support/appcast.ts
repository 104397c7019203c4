import type { AppcastItem } from '../../domain/delivery/appcast.ts';
import { NO_TERMS } from '../../domain/delivery/sparkle-terms.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { NOW } from './builders.ts';
import type { SparkleClient } from './sparkle-selection.ts';

/** An item for every Mac on the default channel, published a month ago. */
export const anItem = (version: string, overrides: Partial<AppcastItem> = {}): AppcastItem => {
  const { release_notes_link, ...terms } = NO_TERMS;
  return {
    ...terms,
    release_id: 1,
    version,
    short_version: version,
    channel: null,
    published_at: addDays(NOW, -30),
    notes: [],
    notes_links: [],
    requires_arm64: false,
    enclosure: {
      url: `https://app.example.com/${version}.zip`,
      length: 1024,
      type: 'application/zip',
      signature: null,
      installation_type: null,
    },
    deltas: [],
    ...overrides,
  };
};

/** Version 1.0 on a current Mac with Apple silicon. Its user checks the default channel by hand. */
export const aClient = (overrides: Partial<SparkleClient> = {}): SparkleClient => ({
  version: '1.0',
  system_version: '26.1.0',
  architecture: 'arm64',
  channels: [],
  background: null,
  now: NOW,
  ...overrides,
});
