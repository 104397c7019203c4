import { hash } from 'node:crypto';
import type { AppSlug } from '../../../../domain/design/collect/run.ts';
import type { KeptScreen } from '../../../../domain/design/gallery/saving.ts';
import type { ScreenCard, ScreenDetail } from '../../../../domain/design/gallery/screen.ts';
import type { Taxonomy, TaxonomyTerm, TaxonomyTerms } from '../../../../domain/design/gallery/taxonomy.ts';
import { partsOfTerm, type Term, type TermType } from '../../../../domain/design/gallery/terms.ts';
import { beginningOfWord, inOtherNumber } from '../../../../domain/design/gallery/words.ts';
import type { FlowScreens } from '../../../../ports/outbound/design/gallery.ts';
import type { KeyOf, Partition, PartitionKey } from '../families.ts';
import { keyIn, padded } from '../shared.ts';

/** The number of ids assigned so far. The version of the item changes at the end of each save. */
export type GalleryHead = { readonly screens: number };

/** The screen of a capture's key. Its terms are doubtful from the beginning to the end of a save. */
export type ScreenEntry = Omit<KeptScreen, 'screen'> & Pick<ScreenCard, 'id' | 'added_at'>;

/** The ids of one block that have a term, encoded by id-block-text.ts. */
export type Posting = { readonly ids: string };

export type AppCounts = Partial<Record<AppSlug, { readonly screens: number; readonly flows: number }>>;

/** The number of screens by key, and the most common colors and fonts. */
export type TaxonomyCounts = Record<keyof TaxonomyTerms, Readonly<Record<string, number>>> &
  Pick<Taxonomy, 'colors' | 'fonts'>;

const GALLERY = 'GALLERY';

/** The number of ids whose cards share a partition, so that one query reads a page of neighbors. */
const CARDS_OF_PARTITION = 1024;

export const cardPartitionOf = (id: number): number => Math.floor(id / CARDS_OF_PARTITION);

/** Clients choose capture keys of up to 40 characters; a hash replaces a key with unusual characters. */
const keyPart = (key: string): string => (/^[\w.:-]{1,100}$/.test(key) ? `=${key}` : `#${hash('sha256', key)}`);

const valuePart = (value: string): string => encodeURIComponent(value.toWellFormed());

/** Words with a common prefix share a partition. All values of another type share one, so that one query lists them. */
const postingsOf = (term: Term): { pk: PartitionKey; prefix: string } => {
  const { type, value } = partsOfTerm(term);
  const pk: PartitionKey =
    type === 'word' ? `${GALLERY}#word:${valuePart(beginningOfWord(value))}` : `${GALLERY}#${type}`;
  return { pk, prefix: `${valuePart(value)}#` };
};

/** The value and the block of a posting's sort key. */
export const partsOfPosting = (sk: string): { readonly value: string; readonly block: number } => {
  const end = sk.lastIndexOf('#');
  return { value: decodeURIComponent(sk.slice(0, end)), block: Number(sk.slice(end + 1)) };
};

const flowPart = (app: AppSlug, slug: string): string => `${app}#${valuePart(slug)}`;

/** Keys of the gallery's screens, their index, flows, and words. */
export const galleryKeys = {
  head: (): KeyOf<GalleryHead> => ({ pk: GALLERY, sk: 'HEAD' }),
  entry: (key: string): KeyOf<ScreenEntry> => ({ pk: `${GALLERY}#KEY${keyPart(key)}`, sk: 'ENTRY' }),
  card: (id: number): KeyOf<ScreenCard> => ({ pk: `${GALLERY}#CARDS#${cardPartitionOf(id)}`, sk: padded(id) }),
  /** The cards between two ids (inclusive) of one partition. */
  cards: (first: number, last: number): Partition<ScreenCard> => ({
    pk: galleryKeys.card(first).pk,
    from: padded(first),
    to: padded(last),
  }),
  detail: (id: number): KeyOf<ScreenDetail> => ({ pk: `${GALLERY}#DETAIL#${id}`, sk: 'DETAIL' }),

  postings: (term: Term): Partition<Posting> => postingsOf(term),
  /** The postings of all words that a query word matches. For a prefix, those of the word itself come first. */
  postingsFound: (word: string): Partition<Posting>[] => [
    { pk: postingsOf(`word:${word}`).pk, prefix: valuePart(word) },
    ...inOtherNumber(word).map((other) => postingsOf(`word:${other}`)),
  ],
  posting: (term: Term, block: number): KeyOf<Posting> => {
    const { pk, prefix } = postingsOf(term);
    return { pk, sk: `${prefix}${String(block).padStart(8, '0')}` };
  },
  /** The postings of every value of a type, except words. */
  postingsOfType: (type: Exclude<TermType, 'word'>): Partition<Posting> => ({ pk: `${GALLERY}#${type}` }),

  flows: (app: AppSlug): Partition<FlowScreens> => ({ pk: `${GALLERY}#FLOWS`, prefix: `${app}#` }),
  flow: (app: AppSlug, slug: string): KeyOf<FlowScreens> => ({ pk: `${GALLERY}#FLOWS`, sk: flowPart(app, slug) }),
  /** The ids of a flow's screens ordered by step; those without a step come last. */
  members: (app: AppSlug, slug: string): Partition<{ readonly id: number }> => ({
    pk: `${GALLERY}#FLOW#${flowPart(app, slug)}`,
  }),
  member: ({ app, flow, step, id }: Pick<ScreenCard, 'app' | 'flow' | 'step' | 'id'>): KeyOf<{ readonly id: number }> =>
    keyIn(galleryKeys.members(app, flow.slug).pk, `${step === null ? '~' : padded(step)}#${padded(id)}`),
  apps: (): KeyOf<AppCounts> => ({ pk: GALLERY, sk: 'APPS' }),

  terms: (section: keyof TaxonomyTerms) =>
    keyIn<{ readonly terms: readonly TaxonomyTerm[] }>(`${GALLERY}#TERMS`, section),
  counts: (): KeyOf<TaxonomyCounts> => ({ pk: `${GALLERY}#TERMS`, sk: 'COUNTS' }),
};
