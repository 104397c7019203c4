import { lazy } from '../../../adapters/host/lazy.ts';
import { StoredPaymentEvents } from '../../../adapters/store/payment-events.ts';
import { StoredSales } from '../../../adapters/store/sales.ts';
import { askProviders } from '../../../application/sales/ask-providers.ts';
import { countOpenEvents, listEvents, replayEvents } from '../../../application/sales/payment-events.ts';
import { receiveEvent } from '../../../application/sales/receive-event.ts';
import { recordSale } from '../../../application/sales/record-sale.ts';
import { settleEvent } from '../../../application/sales/settle-event.ts';
import { syncSales } from '../../../application/sales/sync-sales.ts';
import type { PaymentEvents, PaymentProvider, PaymentProviders, Sales } from '../../../ports/outbound/sales.ts';
import { onAudited } from '../area.ts';
import { type ApiKeys, PROVIDER_NAMES, type ProviderName, type WebhookSecrets } from '../../configuration/feature-config.ts';
import { needing } from '../../configuration/installation.ts';

/** Records what payment providers tell of sales. */
export const sales = {
  parts: {
    sales: onAudited<Sales>(StoredSales),
    recordSale,
  },
};

type Open = (secrets: readonly string[], key?: string) => PaymentProvider;

/** The payment providers: the package and the code that read their events. */
const PROVIDERS = {
  stripe: ['stripe', async () => (await import('../../../adapters/payments/stripe.ts')).stripe],
  paddle: ['@paddle/paddle-node-sdk', async () => (await import('../../../adapters/payments/paddle.ts')).paddle],
  polar: ['standardwebhooks', async () => (await import('../../../adapters/payments/polar.ts')).polar],
  shop: ['standardwebhooks', async () => (await import('../../../adapters/payments/standard.ts')).standard],
} as const satisfies Readonly<Record<ProviderName, readonly [string, () => Promise<Open>]>>;

/** The providers that have a secret or an API key. The code and the package of each load on demand. */
export const providersOf = (given: WebhookSecrets, keys: ApiKeys = {}): PaymentProviders => {
  const opened = new Map<string, () => Promise<PaymentProvider>>();
  for (const name of PROVIDER_NAMES) {
    const [pack, load]: readonly [string, () => Promise<Open>] = PROVIDERS[name];
    const own = given[name] ?? [];
    const open = async () => (await needing(`${name.toUpperCase()}_WEBHOOK_SECRET`, [pack], load))(own, keys[name]);
    if (own.length > 0 || keys[name] !== undefined) opened.set(name, lazy(open));
  }
  return async (name) => opened.get(name)?.();
};

/** The events of payment providers. */
export const payments = {
  parts: {
    paymentEvents: (parts: ConstructorParameters<typeof StoredPaymentEvents>[0]): PaymentEvents =>
      new StoredPaymentEvents(parts),
    paymentProviders: (given: { webhookSecrets: WebhookSecrets; providerKeys: ApiKeys }): PaymentProviders =>
      providersOf(given.webhookSecrets, given.providerKeys),
    settleEvent,
    askProviders,
    syncSales,
    receiveEvent,
    countOpenEvents,
    listEvents,
    replayEvents,
  },
};
