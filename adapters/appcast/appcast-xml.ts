import XmlBuilder from 'fast-xml-builder';
import type { Appcast, AppcastItem, Enclosure } from '../../domain/delivery/appcast.ts';

const SPARKLE = 'http://www.andymatuschak.org/xml-namespaces/sparkle';

/** Characters that XML 1.0 forbids even when escaped (section 2.2, Char). */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** An element: its children, its text (`#`) and its attributes (prefix `@`). Undefined members are omitted. */
type Node = { readonly [name: string]: string | Node | readonly (string | Node)[] | undefined };

const builder = new XmlBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  tagValueProcessor: (_name, value) => (typeof value === 'string' ? value.replace(NOT_XML, '') : value),
  attributeValueProcessor: (_name, value) => (typeof value === 'string' ? value.replace(NOT_XML, '') : value),
});

/** The instant as RSS requires it (RFC 822). The offset is numeric, because Sparkle reads no zone names. */
const date = (instant: string): string => new Date(instant).toUTCString().replace('GMT', '+0000');

const ifAny = <T>(value: T | null): T | undefined => value ?? undefined;

/** The node without its undefined members, which the builder would write as attributes without a value. */
const node = (members: Node): Node =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const enclosure = ({ url, length, type, signature, installation_type }: Enclosure, from?: string): Node =>
  node({
    '@url': url,
    '@length': String(length),
    '@type': type,
    '@sparkle:deltaFrom': from,
    '@sparkle:edSignature': ifAny(signature),
    '@sparkle:installationType': ifAny(installation_type),
  });

const critical = ({ critical: terms }: AppcastItem): Node | string | undefined =>
  terms === null ? undefined : terms.below_version === null ? '' : { '@sparkle:version': terms.below_version };

const informational = ({ informational: terms }: AppcastItem): Node | string | undefined => {
  if (terms === null) return undefined;
  const { versions, below_version } = terms;
  if (versions.length === 0 && below_version === null) return '';
  return node({ 'sparkle:version': versions, 'sparkle:belowVersion': ifAny(below_version) });
};

/** One item of a feed. Every text has `xml:lang`, because Sparkle selects among several texts by language only. */
const item = (one: AppcastItem): Node =>
  node({
    title: one.short_version,
    link: ifAny(one.link),
    guid: { '@isPermaLink': 'false', '#': `release-${one.release_id}${one.requires_arm64 ? '-arm64' : ''}` },
    pubDate: date(one.published_at),
    'sparkle:version': one.version,
    'sparkle:shortVersionString': one.short_version,
    'sparkle:channel': ifAny(one.channel),
    'sparkle:minimumSystemVersion': ifAny(one.minimum_system_version),
    'sparkle:maximumSystemVersion': ifAny(one.maximum_system_version),
    'sparkle:hardwareRequirements': one.requires_arm64 ? 'arm64' : undefined,
    'sparkle:minimumAutoupdateVersion': ifAny(one.minimum_autoupdate_version),
    'sparkle:ignoreSkippedUpgradesBelowVersion': ifAny(one.ignore_skipped_upgrades_below_version),
    'sparkle:criticalUpdate': critical(one),
    'sparkle:informationalUpdate': informational(one),
    'sparkle:phasedRolloutInterval':
      one.phased_rollout_interval === null ? undefined : String(one.phased_rollout_interval),
    'sparkle:releaseNotesLink': one.notes_links.map(({ locale, url }) => ({ '@xml:lang': locale, '#': url })),
    'sparkle:fullReleaseNotesLink': ifAny(one.full_release_notes_link),
    description: one.notes.map(({ locale, html }) => ({ '@xml:lang': locale, '#': html })),
    enclosure: enclosure(one.enclosure),
    'sparkle:deltas':
      one.deltas.length === 0
        ? undefined
        : { enclosure: one.deltas.map((delta) => enclosure(delta, delta.from_build)) },
  });

/** The feed as RSS 2.0 with the elements of Sparkle's namespace. */
export const appcastXml = ({ title, link, language, items }: Appcast): string =>
  builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    rss: {
      '@version': '2.0',
      '@xmlns:sparkle': SPARKLE,
      channel: { title, link, description: title, language, item: items.map(item) },
    },
  });
