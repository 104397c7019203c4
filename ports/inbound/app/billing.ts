import * as z from 'zod';
import { component, dateTime, nullableText } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';

const app = endpointsOf({ host: 'app' });

export const checkAppsSubscription = app({
  id: 'checkAppsSubscription',
  path: '/api/v1/entitlements/apps-subscription-check',
  access: { credential: 'key', ability: 'device.entitlements' },
  answer: () =>
    component('AppsSubscriptionCheckData', {
      has_active_apps_subscription: z.boolean().describe('true in the grace period too'),
      in_grace_period: z.boolean(),
      expires_at: dateTime
        .nullable()
        .describe('the end of the paid period; null if there is no end, or if no subscription has begun'),
      grace_period_ends_at: dateTime.nullable().describe('null until the grace period begins'),
      grace_warning: nullableText,
      tier: z.string().describe('`none` without a subscription in force'),
      features: z.array(z.string()),
      allowed_apps: z.array(z.string()).describe('bundle identifiers, or slugs where a product has none'),
      renewal_url: nullableText,
      message: nullableText.describe(
        'the reason why no subscription is in force, or the moment at which the next one begins',
      ),
    }),
  localized: 'worded',
  tool: { name: 'check_apps_subscription', effect: 'reads' },
});
