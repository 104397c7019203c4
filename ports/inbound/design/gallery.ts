import * as z from 'zod';
import { MODES, PLATFORMS_SHOWN } from '../../../domain/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../domain/collect/run.ts';
import { SORTS } from '../../../domain/gallery/filter.ts';
import { endpoint } from '../endpoint.ts';
import { pathId, queryInteger, queryOneOf, queryPage, queryText } from '../fields.ts';

const access = { credential: 'gallery' } as const;
const id = pathId('id');

/** The filters that the API and the gallery's pages share. */
export const screenQuery = z.object({
  platform: queryOneOf(PLATFORMS_SHOWN, 'Platform of the screen.'),
  q: queryText(200, 'Words in titles, texts and addresses, English or Korean; a screen has all of them.'),
  sort: queryOneOf(SORTS, '`newest` (by the day a screen was first seen) or `oldest`; `newest` if left out.', {
    otherwise: 'newest',
  }),
  viewport: queryOneOf(VIEWPORTS, 'Viewport of the screen.'),
  lang: queryOneOf(LANGS, 'Language of the screen.'),
  mode: queryOneOf(MODES, 'Colour mode of the screen.'),
  kind: queryText(60, 'Key of a page type of the taxonomy.'),
  patterns: queryText(500, 'Keys of patterns of the taxonomy with commas between them; a screen has all of them.'),
  components: queryText(500, 'Keys of elements of the taxonomy with commas between them; a screen has all of them.'),
  app: queryOneOf(APPS, 'App that the screen belongs to.'),
  flow: queryText(100, 'Slug of a flow of the app; it counts together with `app` only.'),
  cols: queryInteger('Columns of the page, 1 to 8: a page fills whole rows.', 8),
  page: queryPage,
});

export const getApp = endpoint({
  id: 'getApp',
  host: 'design',
  method: 'GET',
  path: '/api/v1/apps/{id}',
  params: z.object({ id }),
  access,
  output: { kind: 'json', status: 200 },
  refusals: ['not_found'],
  tool: { name: 'show_app', effect: 'reads' },
});

export const listPatterns = endpoint({
  id: 'listPatterns',
  host: 'design',
  method: 'GET',
  path: '/api/v1/patterns',
  access,
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: { publicSeconds: 60 },
  tool: { name: 'list_patterns', effect: 'reads' },
});

export const listScreens = endpoint({
  id: 'listScreens',
  host: 'design',
  method: 'GET',
  path: '/api/v1/screens',
  access,
  query: screenQuery,
  output: { kind: 'json', status: 200 },
  refusals: [],
  tool: { name: 'search_screens', effect: 'reads' },
});

export const getScreen = endpoint({
  id: 'getScreen',
  host: 'design',
  method: 'GET',
  path: '/api/v1/screens/{id}',
  params: z.object({ id }),
  access,
  output: { kind: 'json', status: 200 },
  refusals: ['not_found'],
  tool: { name: 'show_screen', effect: 'reads' },
});

export const getTaxonomy = endpoint({
  id: 'getTaxonomy',
  host: 'design',
  method: 'GET',
  path: '/api/v1/taxonomy',
  access,
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: { publicSeconds: 60 },
  tool: { name: 'show_taxonomy', effect: 'reads' },
});
