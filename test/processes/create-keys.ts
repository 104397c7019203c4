import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from './data-dir.ts';

/** A child process that creates five keys concurrently when it gets a message, and returns the result of each. */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
process.send?.('ready');
process.once('message', async () => {
  const inputs = Array.from({ length: 5 }, () => ({ account_id: 1, name: 'race', product_id: 1 }));
  const made = await Promise.all(inputs.map((input) => service.get('createApiKey')(grantPermit(), input)));
  await close();
  process.send?.(made.map((one) => (one.ok ? 'made' : one.code)));
  process.disconnect();
});
