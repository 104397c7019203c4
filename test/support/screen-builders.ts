import { hash } from 'node:crypto';
import type { Screen, ScreenDraft } from '../../domain/design/gallery/screen.ts';
import type { StoredImage } from '../../domain/shared/stored-file.ts';
import { NOW } from './builders.ts';

/* Builders of screens for tests of the gallery. */

/** The key of a capture, which identifies its screen in every run. */
export const keyOfCapture = (name: string | number): string => hash('sha1', String(name));

export const anImage = (overrides: Partial<StoredImage> = {}): StoredImage => ({
  sha256: hash('sha256', 'an image'),
  size: 1000,
  type: 'image/png',
  width: 390,
  height: 844,
  ...overrides,
});

/** A sign-in page on a phone. */
export const aDraft = (overrides: Partial<ScreenDraft> = {}): ScreenDraft => ({
  key: keyOfCapture('a screen'),
  run_id: 1,
  title: 'Sign in',
  url: 'https://account.example.com/sign-in',
  app: 'accounts',
  flow: { slug: 'sign-in', name: 'Sign-in' },
  step: 1,
  platform: 'web',
  viewport: 'mobile',
  lang: 'en',
  mode: 'light',
  kind: 'sign-in',
  patterns: ['form', 'sign-in-form'],
  components: ['button', 'form', 'text-field'],
  image: anImage(),
  thumbnail: anImage({ type: 'image/jpeg', width: 320, height: 693 }),
  captured_at: NOW,
  final_url: null,
  http_status: 200,
  auth: false,
  login_stage: true,
  saved_state: null,
  elements: { button: 1, form: 1, 'text-field': 2 },
  colors: [{ hex: '#2563eb', share: 0.5 }],
  fonts: ['Inter'],
  text: 'Welcome back. 로그인하고 계속하세요.',
  page: null,
  ...overrides,
});

/** The screen that the gallery creates from a draft. */
export const aScreen = (overrides: Partial<Screen> = {}): Screen => ({
  ...aDraft(overrides),
  id: 1,
  added_at: NOW,
  ...overrides,
});
