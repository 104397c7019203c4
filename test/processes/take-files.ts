import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from './data-dir.ts';

/**
 * A child process that requests the offline files of twelve machines concurrently when it gets a message, releases each
 * machine, and returns the ids of those that got a file. Its argument makes the ids unique.
 */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
process.send?.('ready');
process.once('message', async () => {
  const take = async (device_id: string): Promise<string[]> => {
    const question = { product_id: 1, bundle_id: null, device_id, app_version: null };
    const input = { account_id: 1, scope: { product_id: null }, key: null, body: question, offline: true };
    const begun = await service.get('checkLicense')({ ...input, locale: 'en' });
    const checked = typeof begun === 'function' ? await begun({ permit: grantPermit() }) : begun;
    await service.get('releaseSlots').ofProduct(grantPermit(), 1, 1, device_id);
    return checked.ok && checked.value.token ? [device_id] : [];
  };
  const ids = Array.from({ length: 12 }, (_, n) => `machine-${process.argv[2]}-${n}`);
  const files = (await Promise.all(ids.map(take))).flat();
  await close();
  process.send?.(files);
  process.disconnect();
});
