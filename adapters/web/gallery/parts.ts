import type { IncomingMessage } from 'node:http';
import type { LimitRate } from '../../../application/access/limit-rate.ts';
import type { AppSlug } from '../../../domain/collect/run.ts';
import type { DesignDocument, DocumentText, DocumentVersion } from '../../../domain/documents/document.ts';
import type { ScreenFilter, ScreenOrder } from '../../../domain/gallery/filter.ts';
import type { Screen, ScreenCard } from '../../../domain/gallery/screen.ts';
import type { Taxonomy } from '../../../domain/gallery/taxonomy.ts';
import type { PageOf, PageRequest } from '../../../domain/shared/paging.ts';
import type { FlowScreens } from '../../../ports/outbound/gallery.ts';

export type SearchedScreens = {
  readonly screens: readonly ScreenCard[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly cols: number;
};

export type AppSummary = { readonly slug: AppSlug; readonly screens: number; readonly flows: number };

/** An app with its flows, each with its first screens in their order. */
export type AppScreens = AppSummary & { readonly shown: readonly FlowScreens[] };

/** The design documents that pages show. Drafts are not among them. */
export type DocumentPages = {
  /** Documents with an approved version, in the order of their slugs. */
  readonly list: (request: PageRequest) => Promise<PageOf<DesignDocument>>;
  /** The versions that wait for a verdict. */
  readonly pending: () => Promise<readonly DocumentVersion[]>;
  /** A document with its versions, newest first; null where it has none that may be shown. */
  readonly show: (
    slug: string,
    request: PageRequest,
  ) => Promise<{ readonly document: DesignDocument; readonly versions: PageOf<DocumentVersion> } | null>;
  /** A version with its text; null where it may not be shown. */
  readonly text: (slug: string, number: number) => Promise<DocumentText | null>;
};

/** What the gallery's pages read. They write nothing. */
export type GalleryPagesParts = {
  readonly limitRate: Pick<LimitRate, 'execute' | 'spent'>;
  readonly search: (wish: {
    readonly filter: ScreenFilter;
    readonly order: ScreenOrder;
    readonly cols: number | null;
    readonly page: number;
  }) => Promise<SearchedScreens>;
  readonly screen: (id: number) => Promise<Screen | null>;
  readonly apps: () => Promise<readonly AppSummary[]>;
  /** Null where the app has no screens. */
  readonly app: (slug: AppSlug) => Promise<AppScreens | null>;
  readonly taxonomy: () => Promise<Taxonomy>;
  /** Null where pages show no documents. */
  readonly documents: DocumentPages | null;
};

export type GalleryPagesSettings = {
  readonly parts: GalleryPagesParts;
  readonly options: {
    /** The network address of a request's sender, behind the proxies that are trusted. */
    readonly addressOf: (req: IncomingMessage) => string;
  };
};
