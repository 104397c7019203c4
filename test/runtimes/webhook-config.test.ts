import { describe, expect, test } from 'vitest';
import { providersOf } from '../../adapters/payments/providers.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { configFaults } from '../support/config-faults.ts';

describe('the configuration of webhooks', () => {
  test('a variable has several secrets during a rotation, and a provider without one is absent', async () => {
    const { webhookSecrets } = readConfig({ STRIPE_WEBHOOK_SECRET: 'whsec_old12345, whsec_new12345' });
    expect(webhookSecrets).toEqual({ stripe: ['whsec_old12345', 'whsec_new12345'], paddle: [], polar: [], shop: [] });
    const providers = providersOf(webhookSecrets);
    expect((await providers('stripe'))?.name).toBe('stripe');
    for (const name of ['shop', 'paddle', 'toString', '']) expect(await providers(name)).toBeUndefined();
  });

  test.each([
    'STRIPE_API_KEY',
    'PADDLE_API_KEY',
    'POLAR_ACCESS_TOKEN',
  ])('a quoted %s is named and not shown', (name) => {
    expect(configFaults({ [name]: '"rk_live_0123456789"' })).toEqual([
      `${name} takes an API key as its provider shows it, without quotes and spaces; it is not shown.`,
    ]);
  });

  test('a provider with only an API key is present and asked', async () => {
    const { webhookSecrets, apiKeys } = readConfig({ PADDLE_API_KEY: 'pdl_live_apikey_01' });
    const providers = providersOf(webhookSecrets, apiKeys);
    expect([(await providers('paddle'))?.source !== undefined, await providers('stripe')]).toEqual([true, undefined]);
  });

  test.each([
    ['STRIPE_WEBHOOK_SECRET', 'short'],
    ['PADDLE_WEBHOOK_SECRET', 'with a space'],
    ['POLAR_WEBHOOK_SECRET', 'polar_whs_1,polar_whs_2,polar_whs_3,polar_whs_4,polar_whs_5'],
    ['SHOP_WEBHOOK_SECRET', 'whsec_not$base64'],
    ['STRIPE_WEBHOOK_SECRET', "'whsec_in5quotes'"],
    ['PADDLE_WEBHOOK_SECRET', '"pdl_ntfset_01"'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_then1line\n'],
    ['POLAR_WEBHOOK_SECRET', ' polar_whs_1234'],
  ])('an invalid %s is named and not shown', (name, value) => {
    expect(configFaults({ [name]: value })).toEqual([
      `${name} takes up to four signing secrets of the webhook with commas between them, as its provider shows them, without quotes and spaces; it is not shown.`,
    ]);
  });
});
