import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { ownPath } from '../../domain/sign-in/own-path.ts';
import { newUpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'digest' | 'links' | 'secrets' | 'upstreamProvider' | 'upstreamSignIns'>;

/** The provider's URL to send a browser to, and the value of the cookie that binds the way back to the browser. */
export type BegunUpstreamSignIn = { readonly url: string; readonly cookie: string };

/** Begins a sign-in at the upstream provider. `next` is the path to go on to; one that is no own path becomes `/`. */
export const beginUpstreamSignIn =
  ({ upstreamProvider, upstreamSignIns, links, secrets, digest, clock }: Ports) =>
  async ({ next }: { next: string }): Promise<Outcome<BegunUpstreamSignIn, 'upstream_unavailable'>> => {
    const begun = await upstreamProvider.begin(links.signInCallback());
    if (!begun.ok) return begun;
    const { url, checks } = begun.value;
    const cookie = secrets.value();
    const hash = digest.sha256(cookie);
    await upstreamSignIns.save(newUpstreamSignIn({ hash, checks, next: ownPath(next, '/') }, clock.now()));
    return ok({ url, cookie });
  };

export type BeginUpstreamSignIn = ReturnType<typeof beginUpstreamSignIn>;
