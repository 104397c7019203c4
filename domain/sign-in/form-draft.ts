import { addDays, hasPassed, type Instant } from '../shared/instant.ts';

const DRAFT_DAYS = 1;

/** The maximum size of a draft in characters. In UTF-8 it fits an item of DynamoDB, 400 KB. */
const MOST_CHARACTERS = 100_000;

/** The fields of a form whose session ended before it was sent. An account has at most one draft of a page. */
export type FormDraft = {
  readonly account_id: number;
  /** The path of the page with the form, on this host. */
  readonly page: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly expires_at: Instant;
};

export const newFormDraft = (draft: Omit<FormDraft, 'expires_at'>, now: Instant): FormDraft => ({
  ...draft,
  expires_at: addDays(now, DRAFT_DAYS),
});

/** True for fields that are small enough for a draft. */
export const fitsDraft = (fields: FormDraft['fields']): boolean =>
  Object.values(fields).reduce((sum, text) => sum + text.length, 0) <= MOST_CHARACTERS;

export const isFormDraftOf = (draft: FormDraft, page: string, now: Instant): boolean =>
  draft.page === page && !hasPassed(draft.expires_at, now);
