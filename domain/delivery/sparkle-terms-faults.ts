import { isBuild, isSystemVersion, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder } from './version-order.ts';

/** A fault that would break an appcast: a member of the release (`sparkle.link`) and the end of a sentence about it. */
export type FeedFault = { readonly member: string; readonly message: string };

type Members = readonly (readonly [member: string, text: string | null | undefined])[];

const { compare } = sparkleOrder();

/** An address that Sparkle follows; it drops every other one. */
const WEB_ADDRESS = /^https?:\/\/[^\s/]\S*$/i;

const unless = (right: (text: string) => boolean, why: (text: string) => string, members: Members): FeedFault[] =>
  members.flatMap(([member, text]) => (text == null || right(text) ? [] : [{ member, message: why(text) }]));

/** Members whose own form is wrong. */
const malformed = (terms: SparkleTerms): FeedFault[] => [
  ...unless(
    (text) => WEB_ADDRESS.test(text),
    () => 'must be an address that begins with https:// or http://',
    [
      ['link', terms.link],
      ['full_release_notes_link', terms.full_release_notes_link],
      ['release_notes_link.en', terms.release_notes_link?.en],
      ['release_notes_link.ko', terms.release_notes_link?.ko],
    ],
  ),
  ...unless(isBuild, (text) => `"${text}" is no build number, which is digits and dots`, [
    ['minimum_autoupdate_version', terms.minimum_autoupdate_version],
    ['ignore_skipped_upgrades_below_version', terms.ignore_skipped_upgrades_below_version],
    ['critical.below_version', terms.critical?.below_version],
    ['informational.below_version', terms.informational?.below_version],
    ...(terms.informational?.versions ?? []).map((text, n) => [`informational.versions.${n}`, text] as const),
  ]),
  ...unless(isSystemVersion, (text) => `"${text}" is no version of macOS such as 13.0.0`, [
    ['minimum_system_version', terms.minimum_system_version],
    ['maximum_system_version', terms.maximum_system_version],
  ]),
];

/** Members that are right by themselves and contradict each other. */
const contradicting = (terms: SparkleTerms, build: string | null): FeedFault[] => {
  const { minimum_system_version: minimum, maximum_system_version: maximum, informational, link } = terms;
  const { minimum_autoupdate_version: autoupdate } = terms;
  const faults: FeedFault[] = [];
  if (minimum !== null && maximum !== null && compare(minimum, maximum) > 0) {
    faults.push({
      member: 'maximum_system_version',
      message: `no system is at least ${minimum} and at most ${maximum}`,
    });
  }
  if (build !== null && autoupdate !== null && compare(autoupdate, build) > 0) {
    faults.push({
      member: 'minimum_autoupdate_version',
      message: `${autoupdate} is above the build ${build} itself, so that every update to it would be a major upgrade`,
    });
  }
  if (informational !== null && link === null) {
    faults.push({ member: 'link', message: 'an informational update needs a page that it leads to' });
  }
  return faults;
};

/** The faults of the terms for Sparkle of a release with this build. */
export const termsFaults = (terms: SparkleTerms, build: string | null): FeedFault[] => {
  const faults = malformed(terms);
  return (faults.length > 0 ? faults : contradicting(terms, build)).map(({ member, message }) => ({
    member: `sparkle.${member}`,
    message,
  }));
};
