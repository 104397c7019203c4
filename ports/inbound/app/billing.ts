import { endpointsOf } from '../endpoint.ts';

const app = endpointsOf({ host: 'app' });

export const checkAppsSubscription = app({
  id: 'checkAppsSubscription',
  path: '/api/v1/entitlements/apps-subscription-check',
  access: { credential: 'key', ability: 'device.entitlements' },
  localized: 'worded',
  tool: { name: 'check_apps_subscription', effect: 'reads' },
});
