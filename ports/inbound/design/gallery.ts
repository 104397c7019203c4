import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { pathId } from '../fields.ts';
import { screenQuery } from '../screen-query.ts';

const access = { credential: 'gallery' } as const;
const id = pathId('id');

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
