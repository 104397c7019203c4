import { openService } from './data-dir.ts';

/** Run as a process of its own: makes five keys at once once it is told to, and prints how each went. */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
process.send?.('ready');
process.once('message', async () => {
  const wishes = Array.from({ length: 5 }, () => ({ account_id: 1, name: 'race', product_id: 1 }));
  const made = await Promise.all(wishes.map((wish) => service.get('createApiKey').execute(wish)));
  await close();
  process.send?.(made.map((one) => (one.ok ? 'made' : one.code)));
  process.disconnect();
});
