import type { DesignDocument, DocumentText } from '../../domain/design/documents/document.ts';
import type { Screen } from '../../domain/design/gallery/screen.ts';
import type { Taxonomy } from '../../domain/design/gallery/taxonomy.ts';
import { NOW } from './builders.ts';
import { anImage, aScreen } from './screen-builders.ts';

/* Records of the gallery and of the documents, each valid by itself. */

/** A sign-in page on a desktop, with its saved page. */
export const aDesktopScreen = (screen: Partial<Screen> = {}): Screen =>
  aScreen({
    viewport: 'desktop',
    patterns: ['form'],
    components: ['button', 'input'],
    elements: { button: 2, input: 3 },
    image: anImage({ width: 1280, height: 800 }),
    thumbnail: anImage({ width: 320, height: 200 }),
    page: { sha256: 'b'.repeat(64), size: 200 },
    ...screen,
  });

export const aTaxonomy = (taxonomy: Partial<Taxonomy> = {}): Taxonomy => ({
  page_types: [
    { key: 'sign-in', name: { en: 'Sign-in', ko: '로그인' }, screens: 3 },
    { key: 'list', name: { en: 'List', ko: '목록' }, screens: 2 },
  ],
  patterns: [{ key: 'form', name: { en: 'Form', ko: '입력 양식' }, screens: 4 }],
  elements: [
    { key: 'button', name: { en: 'Button', ko: '버튼' }, screens: 5 },
    { key: 'input', name: { en: 'Text field', ko: '입력란' }, screens: 4 },
  ],
  colors: [{ key: 'blue', hex: '#0b5cad', screens: 4 }],
  fonts: [{ name: 'Inter', screens: 4 }],
  ...taxonomy,
});

export const aDocument = (document: Partial<DesignDocument> = {}): DesignDocument => ({
  slug: 'buttons',
  title: 'Buttons',
  latest_version: 1,
  current_version: 1,
  created_at: NOW,
  updated_at: NOW,
  ...document,
});

export const aDocumentText = (text: Partial<DocumentText> = {}): DocumentText => ({
  slug: 'buttons',
  number: 1,
  base_version: 0,
  state: 'approved',
  author: { id: 1, name: 'writer' },
  sha256: 'c'.repeat(64),
  size: 100,
  created_at: NOW,
  submitted_at: NOW,
  review: {
    verdict: 'approved',
    reason: 'Clear and complete.',
    reviewer: { id: 2, name: 'reviewer' },
    reviewed_at: NOW,
  },
  body: '# Buttons\n\nOne main button on a page.\n',
  ...text,
});
