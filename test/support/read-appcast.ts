import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { AppcastItem, Enclosure } from '../../domain/delivery/appcast.ts';
import type { Locale } from '../../domain/shared/locale.ts';

type Element = Readonly<Record<string, unknown>>;

const MANY = new Set(['item', 'description', 'sparkle:releaseNotesLink']);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name, path) =>
    (MANY.has(name) && path !== 'rss.channel.description') ||
    path === 'rss.channel.item.sparkle:deltas.enclosure' ||
    path === 'rss.channel.item.sparkle:informationalUpdate.sparkle:version',
});

const text = (value: unknown): string | null => (value === undefined ? null : String(value));
const list = (value: unknown): Element[] => (value ?? []) as Element[];
const enclosureOf = (element: Element): Enclosure => ({
  url: String(element['@url']),
  length: Number(element['@length']),
  type: String(element['@type']),
  signature: text(element['@sparkle:edSignature']),
  installation_type: element['@sparkle:installationType'] === undefined ? null : 'package',
});

const itemOf = (element: Element): AppcastItem => {
  const critical = element['sparkle:criticalUpdate'] as Element | '' | undefined;
  const informational = element['sparkle:informationalUpdate'] as Element | '' | undefined;
  const interval = text(element['sparkle:phasedRolloutInterval']);
  const guid = (element['guid'] as Element)['#'];
  return {
    release_id: Number(/\d+/.exec(String(guid))?.[0]),
    version: String(element['sparkle:version']),
    short_version: String(element['sparkle:shortVersionString']),
    channel: text(element['sparkle:channel']) as AppcastItem['channel'],
    published_at: new Date(String(element['pubDate'])).toISOString(),
    minimum_system_version: text(element['sparkle:minimumSystemVersion']),
    maximum_system_version: text(element['sparkle:maximumSystemVersion']),
    minimum_autoupdate_version: text(element['sparkle:minimumAutoupdateVersion']),
    ignore_skipped_upgrades_below_version: text(element['sparkle:ignoreSkippedUpgradesBelowVersion']),
    critical:
      critical === undefined ? null : { below_version: critical === '' ? null : text(critical['@sparkle:version']) },
    informational:
      informational === undefined
        ? null
        : {
            versions: informational === '' ? [] : ((informational['sparkle:version'] ?? []) as string[]),
            below_version: informational === '' ? null : text(informational['sparkle:belowVersion']),
          },
    link: text(element['link']),
    full_release_notes_link: text(element['sparkle:fullReleaseNotesLink']),
    phased_rollout_interval: interval === null ? null : Number(interval),
    notes: list(element['description']).map((note) => ({
      locale: note['@xml:lang'] as Locale,
      html: String(note['#']),
    })),
    notes_links: list(element['sparkle:releaseNotesLink']).map((note) => ({
      locale: note['@xml:lang'] as Locale,
      url: String(note['#']),
    })),
    requires_arm64: element['sparkle:hardwareRequirements'] === 'arm64',
    enclosure: enclosureOf(element['enclosure'] as Element),
    deltas: list((element['sparkle:deltas'] as Element | undefined)?.['enclosure']).map((delta) => ({
      ...enclosureOf(delta),
      from_build: String(delta['@sparkle:deltaFrom']),
    })),
  };
};

/** The items of a feed as an updater reads them. Throws if the feed is not well-formed. */
export const readAppcast = (xml: string): AppcastItem[] => {
  const valid = XMLValidator.validate(xml);
  if (valid !== true) throw new Error(`${valid.err.msg} in line ${valid.err.line}`);
  const { rss } = parser.parse(xml) as { rss: { channel: Element } };
  return list(rss.channel['item']).map(itemOf);
};
