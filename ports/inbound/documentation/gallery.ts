import { AppShowData, PatternListData, ScreenListData, ScreenShowData, TaxonomyShowData } from './answers/gallery.ts';
import { examples } from './examples/examples.ts';

export const galleryDocumentation = {
  getApp: {
    group: 'Gallery',
    summary: 'Get one app with its flows and screens',
    description:
      'The ids are 1 `core`, 2 `accounts`, 3 `app`, 4 `asset`, 5 `lecture`, 6 `support` and 7 `design`. Each flow comes with its first 12 screens; `GET /api/v1/screens` with `app` and `flow` has the others. An app of which nothing was collected has no flows.',
    pathExamples: { id: 2 },
    answer: { schema: AppShowData, example: examples.app },
  },
  listPatterns: {
    group: 'Gallery',
    summary: 'List the UX patterns',
    description:
      'The patterns of the taxonomy with the number of screens that have each one, as counted after the last collect run.',
    answer: { schema: PatternListData, example: examples.patterns },
  },
  listScreens: {
    group: 'Gallery',
    summary: 'List and search the screens',
    description:
      'The screens that fit every given filter, page by page. `q` searches titles, addresses and visible texts: a word of three or more characters finds the words that begin with it, a plural its singular, Korean any part of a word; at most 16 words count. `kind`, `patterns` and `components` take keys of the taxonomy; an unknown key fits no screen. `flow` counts only together with `app`. A page has as many full rows of `cols` screens as 24 screens need. A page beyond the last one is empty.',
    answer: { schema: ScreenListData, example: examples.screens },
  },
  getScreen: {
    group: 'Gallery',
    summary: 'Get one screen',
    description:
      'A screen as it was captured last: a later collect run replaces what is shown, and the id stays. `page` is the saved HTML without scripts.',
    pathExamples: { id: 1 },
    answer: { schema: ScreenShowData, example: examples.screen },
  },
  getTaxonomy: {
    group: 'Gallery',
    summary: 'Get the taxonomy',
    description:
      'Page types, patterns and elements by which screens are described, and the colours and fonts that screens have, each with the number of its screens as counted after the last collect run. Names are in English and Korean.',
    answer: { schema: TaxonomyShowData, example: examples.taxonomy },
  },
} as const;
