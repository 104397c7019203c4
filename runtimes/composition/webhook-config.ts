import * as z from 'zod';
import { late } from '../../adapters/host/late.ts';
import type { PaymentProvider, PaymentProviders } from '../../ports/outbound/payment-provider.ts';
import { needing } from './needing.ts';

type Open = (secrets: readonly string[]) => PaymentProvider;

/** The payment providers by the names in the paths of their webhooks: the package and the code that read their events. */
const PROVIDERS = {
  stripe: ['stripe', async (): Promise<Open> => (await import('../../adapters/payments/stripe.ts')).stripe],
  paddle: [
    '@paddle/paddle-node-sdk',
    async (): Promise<Open> => (await import('../../adapters/payments/paddle.ts')).paddle,
  ],
  polar: ['standardwebhooks', async (): Promise<Open> => (await import('../../adapters/payments/polar.ts')).polar],
  shop: ['standardwebhooks', async (): Promise<Open> => (await import('../../adapters/payments/standard.ts')).standard],
} as const;

/** The secrets in force of each configured provider. */
export type WebhookSecrets = Readonly<Partial<Record<keyof typeof PROVIDERS, readonly string[]>>>;

/** A secret; one of Standard Webhooks is base64 after its prefix. */
const SECRET = /^(?=[^\s,]{8,500}$)(?:whsec_[\w+/=-]+|(?!whsec_).+)$/;

/** While a secret is replaced, the old one and the new one are in force. */
const secrets = z
  .string()
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',').map((part) => part.trim())))
  .refine((all) => all.length <= 4 && all.every((secret) => SECRET.test(secret)), {
    error: 'takes up to four signing secrets of the webhook with commas between them, as its provider shows them',
  });

/** The variables of the webhooks, which are all secrets. */
export const WEBHOOK_VARIABLES = {
  STRIPE_WEBHOOK_SECRET: secrets,
  PADDLE_WEBHOOK_SECRET: secrets,
  POLAR_WEBHOOK_SECRET: secrets,
  SHOP_WEBHOOK_SECRET: secrets,
};

type Read = Readonly<Record<keyof typeof WEBHOOK_VARIABLES, readonly string[]>>;

/** The secrets in checked variables. */
export const webhookSecretsIn = (read: Read): WebhookSecrets => ({
  stripe: read.STRIPE_WEBHOOK_SECRET,
  paddle: read.PADDLE_WEBHOOK_SECRET,
  polar: read.POLAR_WEBHOOK_SECRET,
  shop: read.SHOP_WEBHOOK_SECRET,
});

/** The providers that have a secret. The code and the package of each load on demand. */
export const providersOf = (given: WebhookSecrets): PaymentProviders => {
  const opened = new Map<string, () => Promise<PaymentProvider>>();
  for (const [name, [pack, load]] of Object.entries(PROVIDERS)) {
    const own = given[name as keyof typeof PROVIDERS] ?? [];
    const open = async () => (await needing(`${name.toUpperCase()}_WEBHOOK_SECRET`, [pack], load))(own);
    if (own.length > 0) opened.set(name, late(open));
  }
  return async (name) => opened.get(name)?.();
};
