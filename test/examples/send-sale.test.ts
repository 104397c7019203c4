import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SIGNERS } from '../support/payment-bodies.ts';
import { IN_MEMORY, openExpressMount } from '../surface/express-mount.ts';

const SENDER = join(import.meta.dirname, '..', '..', 'examples', 'send-sale.ts');

test('the sender of a shop’s own system reports a sale that the service accepts, with their shared secret', async () => {
  const { secret, otherSecret } = SIGNERS.shop;
  const mount = await openExpressMount(IN_MEMORY, { webhookSecrets: { shop: [secret] } });
  try {
    const run = (SHOP_WEBHOOK_SECRET: string) =>
      promisify(execFile)(process.execPath, [SENDER, 'order-1', 'ada@example.com', 'tool'], {
        env: { ...process.env, API_URL: mount.urls.api, SHOP_WEBHOOK_SECRET },
      });
    // The store is empty: the signature is trusted, and the product is unknown.
    await expect(run(secret)).rejects.toMatchObject({
      code: 1,
      stdout: '200 {"state":"refused"}\n',
      stderr: expect.stringMatching(/^No sale is recorded; .*\n$/),
    });
    await expect(run('')).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^Set .*\n$/) });
    await expect(run(otherSecret)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^400 .*signature/),
    });
  } finally {
    await mount.close();
  }
});
