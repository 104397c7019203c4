/** The texts of the gallery's tools, in the order of the design MCP's list. */
export const GALLERY_TOOLS = {
  listScreens: {
    title: 'Search the screens',
    description:
      'Finds collected screens by words, app, flow, page type, patterns, elements, viewport, language and color mode; a screen has to fit all that is given. The keys are in show_taxonomy. Leave out everything to see the newest screens; go on with `page` until `links.next` is null. Look here before you design a screen that may exist already.',
  },
  getScreen: {
    title: 'Show a screen',
    description:
      'Shows one screen with its image, its saved page, visible text, counted elements, colours and fonts. Take the id from search_screens.',
  },
  getApp: {
    title: 'Show an app and its flows',
    description:
      'Shows one app of the gallery (ids 1 to 7) with its flows and the first 12 screens of each. For all screens of a flow, call search_screens with `app` and `flow`.',
  },
  listPatterns: {
    title: 'List the UX patterns',
    description:
      'Lists the UX patterns by key with the number of their screens. A key fits `patterns` of search_screens.',
  },
  getTaxonomy: {
    title: 'Show the words of the gallery',
    description:
      'Shows the keys of page types, patterns and elements for search_screens, and the colours and fonts in use, each with the number of its screens.',
  },
} as const;
