import { isUsableLink } from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { isSecret } from './is-secret.ts';

export type Ports = Needs<'clock' | 'digest' | 'signInLinks'>;

/** True where a one-time link with this code waits. It uses nothing, because mail scanners open links. */
export const peekSignInLink =
  ({ signInLinks, digest, clock }: Ports) =>
  async (code: string): Promise<boolean> => {
    const link = isSecret(code) ? await signInLinks.find(digest.sha256(code)) : undefined;
    return link !== undefined && isUsableLink(link, clock.now());
  };

export type PeekSignInLink = ReturnType<typeof peekSignInLink>;
