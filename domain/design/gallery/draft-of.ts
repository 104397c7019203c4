import type { StoredFile, StoredImage } from '../../shared/stored-file.ts';
import type { Capture } from '../collect/capture.ts';
import { pageTypeOf } from './page-type.ts';
import { patternsOf } from './pattern-rules.ts';
import type { ScreenDetail, ScreenDraft } from './screen.ts';

export type Flow = { readonly slug: string; readonly name: string };

const MOST = 60;

/** The flow of pages at the root of an app, and of pages whose names have no letter or digit. */
const HOME: Flow = { slug: 'home', name: 'Home' };

const cut = (text: string): string => [...text].slice(0, MOST).join('');

/**
 * A name as a part of a URL: its letters and digits in any script in lower case, joined by `-`. At most 60 characters;
 * empty if the name has no letter or digit.
 */
export const slugOf = (name: string): string =>
  cut(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
      .replace(/^-+/, ''),
  ).replace(/-+$/, '');

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** True for a path segment that reveals nothing about the flow: a language code or a record number. */
const saysNothing = (segment: string): boolean => /^(?:ko|en|\d+|[0-9a-f]{8,}(?:-[0-9a-f]+)*)$/i.test(segment);

const titled = (slug: string): string => {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The flow of a page: the one from the collector, else the first meaningful segment of its path. */
export const flowOf = (sent: string | null, path: string): Flow => {
  const name = cut((sent ?? '').replace(/\s+/gu, ' ').trim());
  const slug = slugOf(name);
  if (slug !== '') return { slug, name };
  const segment = path.split('/').find((part) => part !== '' && !saysNothing(part));
  const own = slugOf(decoded(segment ?? '').replace(/\.[a-z]{2,5}$/i, ''));
  return own === '' ? HOME : { slug: own, name: titled(own) };
};

export type PageFacts = Pick<ScreenDetail, 'text' | 'elements' | 'colors' | 'fonts'> & {
  readonly title: string | null;
};

/** The files of a screen: its image, the thumbnail, and the saved page if there is one. */
export type ScreenFiles = {
  readonly image: StoredImage;
  readonly thumbnail: StoredImage;
  readonly page: StoredFile | null;
};

const NO_FACTS: PageFacts = { title: null, text: '', elements: {}, colors: [], fonts: [] };

/** The path of a URL (RFC 3986, section 3.3), between its host and its query. */
const pathOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] || '/';

const MOST_TITLE = 300;

const titleIn = (text: string | null): string | null => {
  const line = (text ?? '').replace(/\s+/gu, ' ').trim();
  return line === '' ? null : [...line].slice(0, MOST_TITLE).join('');
};

/** A screen of a capture. The same capture, facts and files always give the same draft. */
export const draftOf = (capture: Capture, page: PageFacts | null, files: ScreenFiles): ScreenDraft => {
  const { meta } = capture;
  const { title, text, elements, colors, fonts } = page ?? NO_FACTS;
  const path = pathOf(capture.final_url ?? capture.url);
  return {
    key: capture.key,
    run_id: capture.run_id,
    title: titleIn(meta.title) ?? titleIn(title) ?? path,
    url: capture.url,
    final_url: capture.final_url,
    http_status: capture.http_status,
    auth: capture.auth,
    login_stage: capture.login_stage,
    saved_state: capture.saved_state,
    app: meta.app ?? 'core',
    flow: flowOf(meta.flow, path),
    step: meta.step,
    platform: meta.platform ?? 'web',
    viewport: capture.viewport,
    lang: capture.lang,
    mode: meta.mode ?? 'light',
    kind: pageTypeOf(meta.kind, { path, status: capture.http_status, auth: capture.auth, elements, text }),
    patterns: patternsOf(elements, meta.patterns),
    components: Object.keys(elements).sort(),
    elements,
    colors,
    fonts,
    text,
    ...files,
    captured_at: capture.received_at,
  };
};
