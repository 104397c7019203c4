import type { Permit } from '../../domain/access/permit.ts';
import type { SignInLink } from '../../domain/sign-in/sign-in-link.ts';

export interface SignInLinks {
  find(hash: string): Promise<SignInLink | undefined>;
  /** Adds a link, which may sign its account in. */
  save(permit: Permit, link: SignInLink): Promise<void>;
  /** Removes the link; false where it was removed before, so that exactly one call uses it. */
  use(link: SignInLink): Promise<boolean>;
}
