import * as z from 'zod';

/** The payment providers, by the names in the paths of their webhooks. */
export const PROVIDER_NAMES = ['stripe', 'paddle', 'polar', 'shop'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The secrets in force of each configured provider. */
export type WebhookSecrets = Readonly<Partial<Record<ProviderName, readonly string[]>>>;

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

/** True where a provider has a secret, and so may deliver events. */
export const hasProvider = (secrets: WebhookSecrets): boolean =>
  Object.values(secrets).some(({ length }) => length > 0);
