import * as z from 'zod';
import { MODES, PLATFORMS_SHOWN } from '../../../domain/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../domain/collect/run.ts';
import { component, dateTime, id, nullableText, pagedData } from './fields.ts';

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

const DESIGN = 'https://design.example.com';
const hash = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2';
const thumbnail = '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730';
const page = '53c234e5e8472b6ac51c1ae1cab3fe06fad053beb8ebfd8977b010655bfdd3c3';

const cardExample = {
  id: 1,
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
  components: ['button', 'form', 'link', 'password-field', 'text-field'],
  image: { url: `${DESIGN}/media/${hash}.png`, sha256: hash, size: 48_211, type: 'image/png', width: 390, height: 844 },
  thumbnail: {
    url: `${DESIGN}/media/${thumbnail}.jpg`,
    sha256: thumbnail,
    size: 9120,
    type: 'image/jpeg',
    width: 320,
    height: 693,
  },
  captured_at: '2026-11-21T08:00:00.000Z',
  added_at: '2026-11-21T08:04:10.000Z',
  html_url: `${DESIGN}/screens/1`,
};

const list = `${DESIGN}/api/v1/screens`;
const pattern = { key: 'sign-in-form', name: { en: 'Sign-in form', ko: '로그인 폼' }, screens: 1 };

export const galleryDocumentation = {
  listScreens: {
    group: 'Gallery',
    summary: 'List and search the screens',
    description:
      'The screens that fit every given filter, page by page. `q` searches titles, addresses and visible texts: a word of three or more characters finds the words that begin with it, a plural its singular, Korean any part of a word; at most 16 words count. `kind`, `patterns` and `components` take keys of the taxonomy; an unknown key fits no screen. `flow` counts only together with `app`. A page has as many full rows of `cols` screens as 24 screens need. A page beyond the last one is empty.',
    tool: {
      title: 'Search the screens',
      description:
        'Finds collected screens by words, app, flow, page type, patterns, elements, viewport, language and color mode; a screen has to fit all that is given. The keys are in show_taxonomy. Leave out everything to see the newest screens; go on with `page` until `links.next` is null. Look here before you design a screen that may exist already.',
    },
    answer: component('ScreenListData', {
      ...pagedScreens,
      meta: pagedScreens.meta.extend({ cols: z.int().min(1).describe('columns of the page') }),
    }),
    example: {
      data: [cardExample],
      links: {
        first: `${list}?viewport=mobile&page=1`,
        last: `${list}?viewport=mobile&page=1`,
        prev: null,
        next: null,
      },
      meta: { current_page: 1, from: 1, last_page: 1, path: list, per_page: 24, to: 1, total: 1, cols: 4 },
    },
  },
  getScreen: {
    group: 'Gallery',
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
    example: {
      data: {
        ...cardExample,
        key: '0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33',
        run_id: 1795248000000,
        final_url: null,
        http_status: 200,
        auth: false,
        login_stage: true,
        saved_state: null,
        elements: { button: 2, form: 1, link: 3, 'password-field': 1, 'text-field': 1 },
        colors: [
          { hex: '#1f2937', share: 0.5 },
          { hex: '#2563eb', share: 0.25 },
        ],
        fonts: ['Inter'],
        text: 'Sign in Email Password Sign in Use another way',
        page: { url: `${DESIGN}/screens/1/page`, sha256: page, size: 5210 },
      },
    },
  },
  getApp: {
    group: 'Gallery',
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
    example: {
      data: {
        id: 2,
        slug: 'accounts',
        name: 'Accounts',
        screens: 1,
        flows: [{ slug: 'sign-in', name: 'Sign-in', total: 1, screens: [cardExample] }],
      },
    },
  },
  listPatterns: {
    group: 'Gallery',
    summary: 'List the UX patterns',
    description:
      'The patterns of the taxonomy with the number of screens that have each one, as counted after the last collect run.',
    tool: {
      description:
        'Lists the UX patterns by key with the number of their screens. A key fits `patterns` of search_screens.',
    },
    answer: component('PatternListData', { data: z.array(TermData) }),
    example: { data: [pattern] },
  },
  getTaxonomy: {
    group: 'Gallery',
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
    example: {
      data: {
        page_types: [{ key: 'sign-in', name: { en: 'Sign-in', ko: '로그인' }, screens: 1 }],
        patterns: [pattern],
        elements: [{ key: 'button', name: { en: 'Button', ko: '버튼' }, screens: 1 }],
        colors: [{ key: 'blue', hex: '#2563eb', screens: 1 }],
        fonts: [{ name: 'Inter', screens: 1 }],
      },
    },
  },
} as const;
