import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { LineageListData, LineageShowData, PublicDisclosureData } from './schemas/public.ts';

const group = 'Public';
const access = { credential: 'none' } as const;
const cache = { publicSeconds: 300 } as const;

export const listLineages = endpoint({
  id: 'listLineages',
  host: 'api',
  method: 'GET',
  path: '/api/lineages',
  group,
  access,
  output: { kind: 'json', status: 200, schema: LineageListData, example: examples.lineages },
  refusals: [],
  cache,
  localized: true,
  summary: 'List the product lineages',
  description:
    'Active lineages: lines of products of which one followed another. Unpublished products are not counted.',
});

export const getLineage = endpoint({
  id: 'getLineage',
  host: 'api',
  method: 'GET',
  path: '/api/lineages/{slug}',
  group,
  access,
  output: { kind: 'json', status: 200, schema: LineageShowData, example: examples.lineage },
  refusals: ['not_found'],
  cache,
  localized: true,
  summary: 'Get one lineage and its products',
  description:
    'The products in their order, each with whether it came before the one to take now, is that one, or will follow it. Products that are no longer sold are among them, unpublished ones are not. A lineage that is not active answers 404.',
});

export const getDisclosure = endpoint({
  id: 'getDisclosure',
  host: 'api',
  method: 'GET',
  path: '/api/public/disclosure',
  group,
  access,
  output: { kind: 'json', status: 200, schema: PublicDisclosureData, example: examples.disclosure },
  refusals: ['not_found'],
  cache,
  summary: 'Get the business disclosure',
  description:
    'What the company that runs the store has to tell of itself, in Korean and English. A field that does not apply to it is an empty text. 404 as long as the operator has entered none.',
});
