import { isSameJson } from '../../shared/same-json.ts';
import type { Screen, ScreenDraft } from './screen.ts';
import { type Term, termsOfScreen } from './terms.ts';

/** A screen in the gallery, and the terms whose index may be wrong because a save was interrupted. */
export type KeptScreen = {
  /** Undefined if a save assigned the id and stopped. */
  readonly screen: Screen | undefined;
  /** The run of the last save that began. */
  readonly run_id: number;
  readonly doubtful: readonly Term[];
};

export type SavePlan = {
  readonly effect: 'added' | 'changed' | 'unchanged';
  /** `draft`: write the draft and repair the index; `index`: only repair the index; null: do nothing. */
  readonly write: 'draft' | 'index' | null;
  /** The terms to update: they may already be wrong, or become wrong when the draft is written. */
  readonly doubtful: readonly Term[];
};

/** The terms that only one of the two drafts has. */
const differentTerms = (before: ScreenDraft | undefined, after: ScreenDraft): Term[] => {
  const [old, now] = [before ? termsOfScreen(before) : [], termsOfScreen(after)];
  const [inOld, inNow] = [new Set(old), new Set(now)];
  return [...old.filter((term) => !inNow.has(term)), ...now.filter((term) => !inOld.has(term))];
};

/** True if both look the same, apart from the run and the time of the capture. */
const looksSame = (screen: Screen, draft: ScreenDraft): boolean => {
  const { id, added_at, ...before } = screen;
  return isSameJson({ ...before, run_id: 0, captured_at: '' }, { ...draft, run_id: 0, captured_at: '' });
};

export type Overtaken = {
  /** The draft was written; if it is gone, another save has replaced it since. */
  readonly written: boolean;
  /** The terms whose index was written. */
  readonly touched: readonly Term[];
};

const NOTHING_DONE: Overtaken = { written: false, touched: [] };

/** Plans the writes that save a draft to the gallery. */
export const planSave = (draft: ScreenDraft, stored: KeptScreen | undefined, done = NOTHING_DONE): SavePlan => {
  const open = new Set([...(stored?.doubtful ?? []), ...done.touched]);
  const screen = stored?.screen;
  const isLater = stored !== undefined && (stored.run_id > draft.run_id || done.written);
  const same = screen !== undefined && looksSame(screen, draft);
  const isWritten = same && screen.run_id === draft.run_id && screen.captured_at === draft.captured_at;
  if (isLater || isWritten) {
    const write = open.size > 0 && screen !== undefined ? 'index' : null;
    return { effect: 'unchanged', write, doubtful: [...open] };
  }
  const effect = screen === undefined ? 'added' : same ? 'unchanged' : 'changed';
  return { effect, write: 'draft', doubtful: [...new Set([...open, ...differentTerms(screen, draft)])] };
};
