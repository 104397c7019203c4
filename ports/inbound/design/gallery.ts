import * as z from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { pathId } from '../fields.ts';
import { screenQuery } from '../screen-query.ts';

/** The gallery is read without a credential. */
const gallery = endpointsOf({ host: 'design', access: { credential: 'gallery' } });
const id = pathId('id of the app or of the screen');

export const getApp = gallery({
  id: 'getApp',
  path: '/api/v1/apps/{id}',
  params: z.object({ id }),
  refusals: ['not_found'],
  tool: { name: 'show_app', effect: 'reads' },
});

export const listPatterns = gallery({
  id: 'listPatterns',
  path: '/api/v1/patterns',
  cache: { publicSeconds: 60 },
  tool: { name: 'list_patterns', effect: 'reads' },
});

export const listScreens = gallery({
  id: 'listScreens',
  path: '/api/v1/screens',
  query: screenQuery,
  tool: { name: 'search_screens', effect: 'reads' },
});

export const getScreen = gallery({
  id: 'getScreen',
  path: '/api/v1/screens/{id}',
  params: z.object({ id }),
  refusals: ['not_found'],
  tool: { name: 'show_screen', effect: 'reads' },
});

export const getTaxonomy = gallery({
  id: 'getTaxonomy',
  path: '/api/v1/taxonomy',
  cache: { publicSeconds: 60 },
  tool: { name: 'show_taxonomy', effect: 'reads' },
});
