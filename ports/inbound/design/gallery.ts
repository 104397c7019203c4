import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { pathId } from '../fields.ts';
import { screenQuery } from '../screen-query.ts';

/** The gallery is read without a credential. */
const reads = {
  host: 'design',
  method: 'GET',
  access: { credential: 'gallery' },
  output: { kind: 'json', status: 200 },
} as const;
const id = pathId('id of the app or of the screen');

export const getApp = endpoint({
  ...reads,
  id: 'getApp',
  path: '/api/v1/apps/{id}',
  params: z.object({ id }),
  refusals: ['not_found'],
  tool: { name: 'show_app', effect: 'reads' },
});

export const listPatterns = endpoint({
  ...reads,
  id: 'listPatterns',
  path: '/api/v1/patterns',
  refusals: [],
  cache: { publicSeconds: 60 },
  tool: { name: 'list_patterns', effect: 'reads' },
});

export const listScreens = endpoint({
  ...reads,
  id: 'listScreens',
  path: '/api/v1/screens',
  query: screenQuery,
  refusals: [],
  tool: { name: 'search_screens', effect: 'reads' },
});

export const getScreen = endpoint({
  ...reads,
  id: 'getScreen',
  path: '/api/v1/screens/{id}',
  params: z.object({ id }),
  refusals: ['not_found'],
  tool: { name: 'show_screen', effect: 'reads' },
});

export const getTaxonomy = endpoint({
  ...reads,
  id: 'getTaxonomy',
  path: '/api/v1/taxonomy',
  refusals: [],
  cache: { publicSeconds: 60 },
  tool: { name: 'show_taxonomy', effect: 'reads' },
});
