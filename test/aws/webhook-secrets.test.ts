import { expect, test } from 'vitest';
import { withSecrets } from '../../runtimes/configuration/secret-variables.ts';
import { newSecret } from './support/secrets.ts';

test('the secrets of webhooks and of the identity provider become variables, which are read once', async () => {
  const webhooks = await newSecret(JSON.stringify({ STRIPE_WEBHOOK_SECRET: 'whsec_one12345' }));
  const upstream = await newSecret('a client secret\n');
  const env = { WEBHOOK_SECRETS_ARN: webhooks, UPSTREAM_CLIENT_SECRET_ARN: upstream, TABLE_NAME: 'one' };
  expect(await withSecrets(env)).toEqual({
    ...env,
    STRIPE_WEBHOOK_SECRET: 'whsec_one12345',
    UPSTREAM_CLIENT_SECRET: 'a client secret',
  });
  expect(await withSecrets({ TABLE_NAME: 'one' })).toEqual({ TABLE_NAME: 'one' });
});

test.each([
  'whsec_one12345',
  '{"TABLE_NAME": "mine"}',
  '{"STRIPE_WEBHOOK_SECRET": 7}',
])('a secret with the text %s is refused in one sentence without the text', async (text) => {
  const refused = withSecrets({ WEBHOOK_SECRETS_ARN: await newSecret(text) });
  await expect(refused).rejects.toThrow(
    'The secret of WEBHOOK_SECRETS_ARN takes a JSON object with texts, whose names are STRIPE_WEBHOOK_SECRET, PADDLE_WEBHOOK_SECRET, POLAR_WEBHOOK_SECRET, SHOP_WEBHOOK_SECRET, STRIPE_API_KEY, PADDLE_API_KEY, POLAR_ACCESS_TOKEN; its text is not shown.',
  );
});
