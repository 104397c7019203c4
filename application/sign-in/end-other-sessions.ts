import type { Permit } from '../../domain/access/permit.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { isSecret } from './is-secret.ts';

export type Ports = Needs<'digest' | 'knownBrowsers' | 'sessions'>;

/**
 * Ends every session of the account but this one, or all of them where `id` is null, and forgets every known browser
 * but the one whose cookie has the value `known`.
 */
export const endOtherSessions =
  ({ sessions, knownBrowsers, digest }: Ports) =>
  async (
    _permit: Permit,
    { id, account_id }: { readonly id: number | null; readonly account_id: number },
    known: string | null,
  ): Promise<void> => {
    const others = (await sessions.of(account_id)).filter((session) => session.id !== id);
    await Promise.all(others.map((session) => sessions.end(session)));
    // Only now, so that a browser that is being remembered sees that its session has ended.
    const own = isSecret(known) ? digest.sha256(known) : null;
    const strange = (await knownBrowsers.of(account_id)).filter(({ hash }) => hash !== own);
    await Promise.all(strange.map((browser) => knownBrowsers.forget(browser)));
  };

export type EndOtherSessions = ReturnType<typeof endOtherSessions>;
