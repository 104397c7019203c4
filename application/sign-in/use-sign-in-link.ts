import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { linkLimits } from '../../domain/sign-in/attempts.ts';
import { isUsableLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Digest } from '../../ports/outbound/digest.ts';
import type { SignInLinks } from '../../ports/outbound/sign-in-links.ts';
import type { CountAttempts } from './count-attempts.ts';
import { isSecret } from './is-secret.ts';
import type { OpenedSession, OpenSession } from './open-session.ts';

export type Ports = {
  signInLinks: SignInLinks;
  digest: Digest;
  clock: Clock;
  countAttempts: CountAttempts;
  openSession: OpenSession;
};

export type Input = { code: string; browser: string; address: string };

/** Signs a browser in with a one-time link. However many calls use a link at once, it signs in exactly one. */
export class UseSignInLink {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(input: Input): Promise<Outcome<OpenedSession, 'link_not_usable' | 'too_many_attempts'>> {
    const { signInLinks, digest, clock, countAttempts, openSession } = this.#ports;
    const counted = await countAttempts.execute(linkLimits(input.address));
    if (!counted.ok) return counted;
    const link = isSecret(input.code) ? await signInLinks.find(digest.sha256(input.code)) : undefined;
    if (!link || !isUsableLink(link, clock.now()) || !(await signInLinks.use(link))) {
      return refuse('link_not_usable', { message: 'This link was already used or has expired; ask for a new one.' });
    }
    await counted.value.forgive();
    return ok(await openSession.execute(link.account_id, 'link', input.browser));
  }
}
