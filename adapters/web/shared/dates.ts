import { html } from 'hono/html';
import { type Storefront, zoneOf } from '../../../domain/catalog/catalog.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { Language } from '../../../domain/shared/language.ts';
import { dateTag, dayText, momentText } from '../../../domain/shared/wording.ts';
import type { Html } from './pieces.ts';

/* Days and times in words, with the exact moment for machines. */

/** A page without a shop counts days in UTC. */
type Reader = { readonly language: Language; readonly shop?: { readonly storefront: Storefront | null } };

const zoneFor = ({ shop }: Reader): string => zoneOf(shop?.storefront ?? null);

/** A day in words, in the shop's time zone. */
export const dayIn = (page: Reader, instant: Instant): string => dayText(page.language, instant, zoneFor(page));

/** A day in the shop's time zone, or in another one. */
export const day = (page: Reader, instant: Instant, timeZone = zoneFor(page)): Html =>
  html`<time datetime="${instant}">${dayText(page.language, instant, timeZone)}</time>`;

/** A moment in the shop's time zone, with its name. The script of the page shows it in the visitor's own zone. */
export const moment = (page: Reader, instant: Instant): Html =>
  html`<time datetime="${instant}" data-moment="${dateTag(page.language)}">${momentText(page.language, instant, zoneFor(page))}</time>`;
