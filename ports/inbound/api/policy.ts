import { endpointsOf } from '../endpoint.ts';

const api = endpointsOf({ host: 'api' });

export const getClientConfig = api({
  id: 'getClientConfig',
  path: '/api/client-config',
  access: { credential: 'key' },
  cache: 'revalidate',
  tool: { name: 'show_client_config', effect: 'reads' },
});
