import * as z from 'zod';
import { MODES, PLATFORMS_SHOWN } from '../../../domain/design/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../domain/design/collect/run.ts';
import { component, dateTime, id, nullableText, once, pagedData } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { pathId } from '../fields.ts';
import { screenQuery } from '../screen-query.ts';

/** The gallery needs no credential. */
const gallery = endpointsOf({ host: 'design', access: { credential: 'gallery' } });
const galleryId = pathId('id of the app or of the screen');

const count = z.int().min(0);

const sha256 = z.string().describe('lower-case hex');

const size = count.describe('bytes');

const imageData = once(() =>
  component('GalleryImageData', {
    url: z.string().describe('needs no credential and never changes its content'),
    sha256,
    size,
    type: z.enum(['image/png', 'image/jpeg']),
    width: z.int().describe('pixels'),
    height: z.int().describe('pixels'),
  }),
);

const card = once(() => ({
  id: id.describe('counts up in the order in which screens were first seen'),
  title: z.string(),
  url: z.string().describe('the address that was captured'),
  app: z.enum(APPS),
  flow: z.object({ slug: z.string(), name: z.string() }),
  step: z.int().nullable().describe('the place in the flow, from 1 on'),
  platform: z.enum(PLATFORMS_SHOWN),
  viewport: z.enum(VIEWPORTS),
  lang: z.enum(LANGS),
  mode: z.enum(MODES),
  kind: z.string().describe('key of a page type of the taxonomy'),
  patterns: z.array(z.string()).describe('keys of patterns of the taxonomy'),
  components: z.array(z.string()).describe('keys of elements of the taxonomy'),
  image: imageData(),
  thumbnail: imageData(),
  captured_at: dateTime,
  added_at: dateTime.describe('when the screen was first seen'),
  html_url: z.string().describe('the screen’s page in the gallery'),
}));

const screenCardData = once(() => component('ScreenCardData', card()));

const pagedScreens = once(() => pagedData(screenCardData()));

const localized = once(() => z.object({ en: z.string().optional(), ko: z.string().optional() }));

const termData = once(() =>
  component('TaxonomyTermData', {
    key: z.string(),
    name: localized(),
    description: localized().optional(),
    screens: count,
  }),
);

export const getApp = gallery({
  id: 'getApp',
  path: '/api/v1/apps/{id}',
  params: () => z.object({ id: galleryId }),
  answer: () =>
    component('AppShowData', {
      data: component('GalleryAppData', {
        id,
        slug: z.enum(APPS),
        name: z.string(),
        screens: count.describe('the number of all screens of the app'),
        flows: z
          .array(
            z.object({
              slug: z.string(),
              name: z.string(),
              total: count.describe('the number of all screens of the flow'),
              screens: z.array(screenCardData()).describe('the first 12 by their step'),
            }),
          )
          .describe('at most 50, by their slug'),
      }),
    }),
  refusals: ['not_found'],
  tool: { name: 'show_app', effect: 'reads' },
});

export const listPatterns = gallery({
  id: 'listPatterns',
  path: '/api/v1/patterns',
  answer: () => component('PatternListData', { data: z.array(termData()) }),
  cache: { publicSeconds: 60 },
  tool: { name: 'list_patterns', effect: 'reads' },
});

export const listScreens = gallery({
  id: 'listScreens',
  path: '/api/v1/screens',
  query: screenQuery,
  answer: () =>
    component('ScreenListData', {
      ...pagedScreens(),
      meta: pagedScreens().meta.extend({ cols: z.int().min(1).describe('columns of the page') }),
    }),
  tool: { name: 'search_screens', effect: 'reads' },
});

export const getScreen = gallery({
  id: 'getScreen',
  path: '/api/v1/screens/{id}',
  params: () => z.object({ id: galleryId }),
  answer: () =>
    component('ScreenShowData', {
      data: component('ScreenData', {
        ...card(),
        key: z.string().describe('the key of the capture, which names the screen in every collect run'),
        run_id: id.describe('the collect run that captured it last'),
        final_url: nullableText,
        http_status: z.int().nullable(),
        auth: z.boolean().describe('true if the page was seen signed in'),
        login_stage: z.boolean().nullable().describe('true for a step of signing in; null if not told'),
        saved_state: z.boolean().nullable().describe('true for a state saved before; null if not told'),
        elements: z.record(z.string(), count).describe('the number of elements by their key'),
        colors: z
          .array(z.object({ hex: z.string(), share: z.number().min(0).max(1) }))
          .describe('at most 12, the most used first'),
        fonts: z.array(z.string()).describe('at most 8, the most used first'),
        text: z.string().describe('the visible text, cut at 4,000 characters'),
        page: z
          .object({ url: z.string(), sha256, size })
          .nullable()
          .describe('the saved page without scripts; null if there is none'),
      }),
    }),
  refusals: ['not_found'],
  tool: { name: 'show_screen', effect: 'reads' },
});

export const getTaxonomy = gallery({
  id: 'getTaxonomy',
  path: '/api/v1/taxonomy',
  answer: () =>
    component('TaxonomyShowData', {
      data: component('TaxonomyData', {
        page_types: z.array(termData()),
        patterns: z.array(termData()),
        elements: z.array(termData()),
        colors: z
          .array(z.object({ key: z.string(), hex: z.string(), screens: count }))
          .describe('families of colors, each with the color of it that most screens have'),
        fonts: z
          .array(z.object({ name: z.string(), screens: count }))
          .describe('at most 100, those of the most screens first'),
      }),
    }),
  cache: { publicSeconds: 60 },
  tool: { name: 'show_taxonomy', effect: 'reads' },
});
