import { late } from '../../adapters/host/late.ts';
import type { PaymentProvider, PaymentProviders } from '../../ports/outbound/sales.ts';
import { PROVIDER_NAMES, type ProviderName, type WebhookSecrets } from './feature-config.ts';
import { needing } from './installation.ts';

type Open = (secrets: readonly string[]) => PaymentProvider;

/** The payment providers: the package and the code that read their events. */
const PROVIDERS = {
  stripe: ['stripe', async (): Promise<Open> => (await import('../../adapters/payments/stripe.ts')).stripe],
  paddle: [
    '@paddle/paddle-node-sdk',
    async (): Promise<Open> => (await import('../../adapters/payments/paddle.ts')).paddle,
  ],
  polar: ['standardwebhooks', async (): Promise<Open> => (await import('../../adapters/payments/polar.ts')).polar],
  shop: ['standardwebhooks', async (): Promise<Open> => (await import('../../adapters/payments/standard.ts')).standard],
} as const satisfies Readonly<Record<ProviderName, readonly [string, () => Promise<Open>]>>;

/** The providers that have a secret. The code and the package of each load on demand. */
export const providersOf = (given: WebhookSecrets): PaymentProviders => {
  const opened = new Map<string, () => Promise<PaymentProvider>>();
  for (const name of PROVIDER_NAMES) {
    const [pack, load] = PROVIDERS[name];
    const own = given[name] ?? [];
    const open = async () => (await needing(`${name.toUpperCase()}_WEBHOOK_SECRET`, [pack], load))(own);
    if (own.length > 0) opened.set(name, late(open));
  }
  return async (name) => opened.get(name)?.();
};
