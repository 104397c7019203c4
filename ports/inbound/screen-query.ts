import * as z from 'zod';
import { MODES, PLATFORMS_SHOWN } from '../../domain/design/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../domain/design/collect/run.ts';
import { GALLERY_SORTS } from '../../domain/design/gallery/screen.ts';
import { queryInteger, queryKeys, queryOneOf, queryPage, queryText } from './fields.ts';

const KEYS = 'with commas between them, at most 20; a screen has all of them.';

/** The filters that the API and the gallery's pages share. */
export const screenQuery = () =>
  z.object({
    platform: queryOneOf(PLATFORMS_SHOWN, 'Platform of the screen.'),
    q: queryText(200, 'Words in titles, texts and addresses, English or Korean; a screen has all of them.'),
    sort: queryOneOf(
      GALLERY_SORTS,
      '`newest` (by the day a screen was first seen) or `oldest`; `newest` if left out.',
      {
        otherwise: 'newest',
      },
    ),
    viewport: queryOneOf(VIEWPORTS, 'Viewport of the screen.'),
    lang: queryOneOf(LANGS, 'Language of the screen.'),
    mode: queryOneOf(MODES, 'Color mode of the screen.'),
    kind: queryText(60, 'Key of a page type of the taxonomy.'),
    patterns: queryKeys(20, `Keys of patterns of the taxonomy ${KEYS}`),
    components: queryKeys(20, `Keys of elements of the taxonomy ${KEYS}`),
    color: queryText(7, 'One of the colors of the screen, as `#rrggbb`.'),
    app: queryOneOf(APPS, 'App that the screen belongs to.'),
    flow: queryText(100, 'Slug of a flow of the app; it counts together with `app` only.'),
    cols: queryInteger('Columns of the page, 1 to 8: a page fills whole rows.', 8),
    page: queryPage,
  });
