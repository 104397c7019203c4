import { html } from 'hono/html';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { Language } from '../../../domain/shared/language.ts';
import { dayText, momentText } from '../../../domain/shared/wording.ts';
import type { Html } from './pieces.ts';

/* Days and times in words, with the exact moment for machines. */

type Reader = { readonly language: Language };

/** A day in UTC. */
export const day = ({ language }: Reader, instant: Instant): Html =>
  html`<time datetime="${instant}">${dayText(language, instant)}</time>`;

/** A moment in UTC, short enough for one line on a phone. */
export const moment = ({ language }: Reader, instant: Instant): Html =>
  html`<time datetime="${instant}">${momentText(language, instant)}</time>`;
