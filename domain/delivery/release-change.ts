import type { Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Channel } from './channel.ts';
import type { ReleaseLine } from './offered-release.ts';
import { currentRelease } from './offered-release.ts';
import type { Release } from './release.ts';

/** A change to a published release. Its files never change. */
export type ReleaseChange =
  /** Takes the release back: clients are offered it no longer. */
  | { readonly kind: 'withdraw'; readonly reason: string }
  /** Offers a withdrawn release again. */
  | { readonly kind: 'restore' }
  | { readonly kind: 'move'; readonly channel: Channel }
  /** Sets the moment of a release that is not out yet. */
  | { readonly kind: 'schedule'; readonly released_at: Instant };

/**
 * The release after a change; the same object where the change finds nothing to do. A withdrawn release keeps the
 * moment of its first withdrawal, and a release that is out keeps its moment, because update windows are compared with
 * it.
 */
export const changedRelease = (
  release: Release,
  change: ReleaseChange,
  now: Instant,
): Outcome<Release, 'release_is_out' | 'moment_has_passed'> => {
  const { withdrawn, ...offered } = release;
  switch (change.kind) {
    case 'withdraw':
      if (withdrawn?.reason === change.reason) return ok(release);
      return ok({ ...offered, withdrawn: { at: withdrawn?.at ?? now, reason: change.reason } });
    case 'restore':
      return ok(withdrawn === undefined ? release : offered);
    case 'move':
      return ok(release.channel === change.channel ? release : { ...release, channel: change.channel });
    case 'schedule':
      if (release.released_at === change.released_at) return ok(release);
      if (release.released_at <= now) {
        return refuse('release_is_out', {
          message: `Version ${release.version} came out at ${release.released_at}, and that moment stays; withdraw the version to take it back.`,
        });
      }
      // A moment of long ago would bring the release into every update window, and could not be changed any more.
      if (change.released_at <= now) {
        return refuse('moment_has_passed', {
          message: `The moment ${change.released_at} has passed; name one to come, such as one in a minute.`,
        });
      }
      return ok({ ...release, released_at: change.released_at });
  }
};

/** The version that a channel offers to the clients of a release: on one platform, or by a file for every platform. */
export type Replacement = { readonly platform: Platform | null; readonly version: string | null };

/** The versions that clients of a release are offered by its channel, one for each of the release's files. */
export const replacements = ({ channel, artifacts }: Release, line: ReleaseLine): readonly Replacement[] =>
  artifacts.map(({ platform }) => ({ platform, version: currentRelease(line, channel, platform)?.version ?? null }));
