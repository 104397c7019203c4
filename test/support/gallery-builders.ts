import type { DesignDocument, DocumentText } from '../../domain/documents/document.ts';
import type { Screen } from '../../domain/gallery/screen.ts';
import type { Taxonomy } from '../../domain/gallery/taxonomy.ts';
import type { StoredImage } from '../../domain/shared/stored-file.ts';
import { NOW } from './builders.ts';

/* Records of the gallery and of the documents, each valid by itself. */

export const anImage = (image: Partial<StoredImage> = {}): StoredImage => ({
  sha256: 'a'.repeat(64),
  size: 1000,
  type: 'image/png',
  width: 320,
  height: 200,
  ...image,
});

export const aScreen = (screen: Partial<Screen> = {}): Screen => ({
  id: 1,
  title: 'Sign in',
  url: 'https://accounts.example.com/sign-in',
  app: 'accounts',
  flow: { slug: 'sign-in', name: 'Sign in' },
  step: 1,
  platform: 'web',
  viewport: 'desktop',
  lang: 'en',
  mode: 'light',
  kind: 'sign-in',
  patterns: ['form'],
  components: ['button', 'input'],
  image: anImage({ width: 1280, height: 800 }),
  thumbnail: anImage(),
  captured_at: NOW,
  added_at: NOW,
  key: 'k'.repeat(40),
  run_id: 1,
  final_url: null,
  http_status: 200,
  auth: false,
  elements: { button: 2, input: 3 },
  colors: [
    { hex: '#ffffff', share: 0.6 },
    { hex: '#0b5cad', share: 0.4 },
  ],
  fonts: ['Inter'],
  text: 'Sign in\nEmail address',
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
