import type { PaymentProvider, PaymentProviders } from '../../ports/outbound/sales.ts';
import { lazy, needing } from '../system/loading.ts';

/** The payment providers, named as in the paths of their webhooks. */
export const PROVIDER_NAMES = ['stripe', 'paddle', 'polar', 'shop'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The valid secrets of each configured provider. */
export type WebhookSecrets = Readonly<Partial<Record<ProviderName, readonly string[]>>>;

export type ApiKeys = Readonly<Partial<Record<ProviderName, string | undefined>>>;

type Open = (secrets: readonly string[], key?: string) => PaymentProvider;

/** The payment providers: the package and the module that read their events. */
const PROVIDERS = {
  stripe: ['stripe', async () => (await import('./stripe.ts')).stripe],
  paddle: ['@paddle/paddle-node-sdk', async () => (await import('./paddle.ts')).paddle],
  polar: ['standardwebhooks', async () => (await import('./polar.ts')).polar],
  shop: ['standardwebhooks', async () => (await import('./standard.ts')).standard],
} as const satisfies Readonly<Record<ProviderName, readonly [string, () => Promise<Open>]>>;

/** The providers that have a secret or an API key. Their modules and packages load on demand. */
export const providersOf = (secrets: WebhookSecrets, keys: ApiKeys = {}): PaymentProviders => {
  const opened = new Map<string, () => Promise<PaymentProvider>>();
  for (const name of PROVIDER_NAMES) {
    const [pack, load]: readonly [string, () => Promise<Open>] = PROVIDERS[name];
    const own = secrets[name] ?? [];
    const open = async () => (await needing(`${name.toUpperCase()}_WEBHOOK_SECRET`, [pack], load))(own, keys[name]);
    if (own.length > 0 || keys[name] !== undefined) opened.set(name, lazy(open));
  }
  return async (name) => opened.get(name)?.();
};
