import * as z from 'zod';
import { MODES, PLATFORMS_SHOWN } from '../../../domain/design/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../domain/design/collect/run.ts';
import { component, dateTime, id, inGroup, nullableText, pagedData } from './fields.ts';

const count = z.int().min(0);
const sha256 = z.string().describe('lower-case hex');
const size = count.describe('bytes');

const ImageData = component('GalleryImageData', {
  url: z.string().describe('needs no credential and never changes its content'),
  sha256,
  size,
  type: z.enum(['image/png', 'image/jpeg']),
  width: z.int().describe('pixels'),
  height: z.int().describe('pixels'),
});

const card = {
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
  image: ImageData,
  thumbnail: ImageData,
  captured_at: dateTime,
  added_at: dateTime.describe('when the screen was first seen'),
  html_url: z.string().describe('the screen’s page in the gallery'),
};

const ScreenCardData = component('ScreenCardData', card);
const pagedScreens = pagedData(ScreenCardData);
const localized = z.object({ en: z.string().optional(), ko: z.string().optional() });

const TermData = component('TaxonomyTermData', {
  key: z.string(),
  name: localized,
  description: localized.optional(),
  screens: count,
});

export const galleryDocumentation = inGroup('Gallery', {
  listScreens: {
    summary: 'List and search the screens',
    description:
      'The screens that fit every given filter, page by page. `q` searches titles, addresses and visible texts: a word of three or more characters finds the words that begin with it, a plural its singular, Korean any part of a word; at most 16 words count. `kind`, `patterns` and `components` take keys of the taxonomy; an unknown key fits no screen. `flow` counts only together with `app`. A page has as many full rows of `cols` screens as 24 screens need. A page beyond the last one is empty.',
    tool: {
      title: 'Search the screens',
      description:
        'Finds the collected screens that fit all that is given, by words and by the keys of show_taxonomy, or the newest ones. Look here before you design a screen that may exist already.',
    },
    answer: component('ScreenListData', {
      ...pagedScreens,
      meta: pagedScreens.meta.extend({ cols: z.int().min(1).describe('columns of the page') }),
    }),
  },
  getScreen: {
    summary: 'Get one screen',
    description:
      'A screen as it was captured last: a later collect run replaces what is shown, and the id stays. `page` is the saved HTML without scripts.',
    tool: {
      title: 'Show a screen',
      description:
        'Shows one screen with its image, its saved page, visible text, counted elements, colours and fonts. Take the id from search_screens.',
    },
    pathExamples: { id: 1 },
    answer: component('ScreenShowData', {
      data: component('ScreenData', {
        ...card,
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
  },
  getApp: {
    summary: 'Get one app with its flows and screens',
    description:
      'The ids are 1 `core`, 2 `accounts`, 3 `app`, 4 `asset`, 5 `lecture`, 6 `support` and 7 `design`. Each flow comes with its first 12 screens; `GET /api/v1/screens` with `app` and `flow` has the others. An app of which nothing was collected has no flows.',
    tool: {
      title: 'Show an app and its flows',
      description:
        'Shows one app of the gallery (ids 1 to 7) with its flows and the first 12 screens of each. For all screens of a flow, call search_screens with `app` and `flow`.',
    },
    pathExamples: { id: 2 },
    answer: component('AppShowData', {
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
              screens: z.array(ScreenCardData).describe('the first 12 by their step'),
            }),
          )
          .describe('at most 50, by their slug'),
      }),
    }),
  },
  listPatterns: {
    summary: 'List the UX patterns',
    description:
      'The patterns of the taxonomy with the number of screens that have each one, as counted after the last collect run.',
    tool: {
      description:
        'Lists the UX patterns by key with the number of their screens. A key fits `patterns` of search_screens.',
    },
    answer: component('PatternListData', { data: z.array(TermData) }),
  },
  getTaxonomy: {
    summary: 'Get the taxonomy',
    description:
      'Page types, patterns and elements by which screens are described, and the colours and fonts that screens have, each with the number of its screens as counted after the last collect run. Names are in English and Korean.',
    tool: {
      title: 'Show the words of the gallery',
      description:
        'Shows the keys of page types, patterns and elements for search_screens, and the colours and fonts in use, each with the number of its screens.',
    },
    answer: component('TaxonomyShowData', {
      data: component('TaxonomyData', {
        page_types: z.array(TermData),
        patterns: z.array(TermData),
        elements: z.array(TermData),
        colors: z
          .array(z.object({ key: z.string(), hex: z.string(), screens: count }))
          .describe('families of colours, each with the colour of it that most screens have'),
        fonts: z
          .array(z.object({ name: z.string(), screens: count }))
          .describe('at most 100, those of the most screens first'),
      }),
    }),
  },
});
