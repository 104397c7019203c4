import { type FormDraft, fitsDraft, isFormDraftOf, newFormDraft } from '../../domain/sign-in/form-draft.ts';
import { isKnownTo } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { isSecret } from './sessions.ts';

export type DraftInput = Pick<FormDraft, 'page' | 'fields'> & {
  /** The account whose session sent the form; null if the session has ended. */
  readonly account_id: number | null;
  /** The value of the known browser's cookie; null for none. */
  readonly known: string | null;
};

/**
 * Stores the fields of a form for a day, for the signed-in account or else for the account to which the browser last
 * signed in. Returns false and stores nothing for any other browser, so that strangers cannot fill the store, and for
 * fields that are too long.
 */
export const keepDraft = ({
  clock,
  digest,
  drafts,
  knownBrowsers,
}: Needs<'clock' | 'digest' | 'drafts' | 'knownBrowsers'>) =>
  async function keepDraft({ account_id, known, page, fields }: DraftInput): Promise<boolean> {
    if (!fitsDraft(fields)) return false;
    const now = clock.now();
    const browser = isSecret(known) ? await knownBrowsers.find(digest.sha256(known)) : undefined;
    const isKnown = browser !== undefined && isKnownTo(browser, browser.account_id, now);
    const owner = account_id ?? (isKnown ? browser.account_id : undefined);
    if (owner !== undefined) await drafts.save(newFormDraft({ account_id: owner, page, fields }, now));
    return owner !== undefined;
  };

/** The stored fields of a page's form for the account, or undefined. */
export const findDraft = ({ clock, drafts }: Needs<'clock' | 'drafts'>) =>
  async function findDraft(account_id: number, page: string): Promise<FormDraft['fields'] | undefined> {
    const now = clock.now();
    return (await drafts.of(account_id)).findLast((draft) => isFormDraftOf(draft, page, now))?.fields;
  };
