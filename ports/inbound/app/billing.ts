import { endpoint } from '../endpoint.ts';

export const checkAppsSubscription = endpoint({
  id: 'checkAppsSubscription',
  host: 'app',
  method: 'GET',
  path: '/api/v1/entitlements/apps-subscription-check',
  access: { credential: 'key', ability: 'device.entitlements' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: 'worded',
  tool: { name: 'check_apps_subscription', effect: 'reads' },
});
