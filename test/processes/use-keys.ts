import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from './data-dir.ts';

/** A child process that sends each key that it gets as an application would, and returns whether it worked. */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
process.send?.('ready');
process.once('message', async (keys: readonly string[]) => {
  const sent = await Promise.all(keys.map((key) => service.get('authenticate')(key, false, grantPermit())));
  await close();
  process.send?.(sent.map(({ ok }) => ok));
  process.disconnect();
});
