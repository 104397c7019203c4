import type { AppcastItem } from '../../domain/delivery/appcast.ts';
import type { SparkleClient } from '../../domain/delivery/sparkle-selection.ts';
import { NO_TERMS } from '../../domain/delivery/sparkle-terms.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { NOW } from './builders.ts';

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

/** Version 1.0 on a present-day Mac with Apple silicon, whose user looks for updates of the default channel. */
export const aClient = (overrides: Partial<SparkleClient> = {}): SparkleClient => ({
  version: '1.0',
  system_version: '26.1.0',
  architecture: 'arm64',
  channels: [],
  background: null,
  now: NOW,
  ...overrides,
});
