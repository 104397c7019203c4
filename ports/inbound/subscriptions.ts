import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { AppsSubscriptionCheckData, SubscriptionsData } from './schemas/billing.ts';

export const listSubscriptions = endpoint({
  id: 'listSubscriptions',
  host: 'api',
  method: 'GET',
  path: '/api/subscriptions',
  group: 'Subscriptions',
  access: { credential: 'key', ability: 'subscriptions.read' },
  output: { kind: 'json', status: 200, schema: SubscriptionsData, example: examples.subscriptions },
  refusals: [],
  localized: true,
  summary: 'List the subscriptions',
  description:
    'Every subscription of the account, the newest first, with what it will cost next and what the buyer may do with it. Those that are over stay in the list.',
});

export const checkAppsSubscription = endpoint({
  id: 'checkAppsSubscription',
  host: 'app',
  method: 'GET',
  path: '/api/v1/entitlements/apps-subscription-check',
  group: 'License',
  access: { credential: 'key', ability: 'device.entitlements' },
  output: { kind: 'json', status: 200, schema: AppsSubscriptionCheckData, example: examples.appsSubscription },
  refusals: [],
  localized: true,
  summary: 'Check the apps subscription',
  description:
    'Which apps and features the account’s apps subscription allows. For the days of grace after a renewal that failed it stays in force, with a warning; a license check of these apps passes just as long.',
});
