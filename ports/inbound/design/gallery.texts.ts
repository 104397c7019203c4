import { inGroup } from '../documented.ts';

export const designGalleryTexts = inGroup('Gallery', {
  listScreens: {
    summary: 'List and search the screens',
    description:
      'The screens that fit every given filter, page by page. `q` searches titles, addresses and visible texts: a word of three or more characters finds the words that begin with it, a plural its singular, Korean any part of a word; at most 16 words count. `kind`, `patterns` and `components` take keys of the taxonomy; an unknown key fits no screen. `flow` counts only together with `app`. A page has as many full rows of `cols` screens as 24 screens need. A page beyond the last one is empty.',
    tool: {
      title: 'Search the screens',
      description:
        'Finds the collected screens that fit all that is given, by words and by the keys of show_taxonomy, or the newest ones. Look here before you design a screen that may exist already.',
    },
  },
  getScreen: {
    summary: 'Get one screen',
    description:
      'A screen as it was captured last: a later collect run replaces what is shown, and the id stays. `page` is the saved HTML without scripts.',
    tool: {
      title: 'Show a screen',
      description:
        'Shows one screen with its image, its saved page, visible text, counted elements, colors and fonts. Take the id from search_screens.',
    },
    pathExamples: { id: 1 },
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
  },
  listPatterns: {
    summary: 'List the UX patterns',
    description:
      'The patterns of the taxonomy with the number of screens that have each one, as counted after the last collect run.',
    tool: {
      description:
        'Lists the UX patterns by key with the number of their screens. A key fits `patterns` of search_screens.',
    },
  },
  getTaxonomy: {
    summary: 'Get the taxonomy',
    description:
      'Page types, patterns and elements by which screens are described, and the colors and fonts that screens have, each with the number of its screens as counted after the last collect run. Names are in English and Korean.',
    tool: {
      title: 'Show the words of the gallery',
      description:
        'Shows the keys of page types, patterns and elements for search_screens, and the colors and fonts in use, each with the number of its screens.',
    },
  },
});
