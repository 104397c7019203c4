import { grantPermit } from '../../domain/access/grant-permit.ts';
import { order, period, refund, subscription } from '../support/sale-events.ts';
import { openService } from './data-dir.ts';

/** A child process that records two sales with their refund, concurrently and twice, when it gets a message. */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
process.send?.('ready');
process.once('message', async () => {
  const events = [
    refund({ amount_cents: 1000, things: [{ price: 'p-notes' }] }),
    order(),
    subscription(),
    period('pay-9', true),
  ];
  const told = await Promise.all(
    [...events, ...events].map((event) => service.get('recordSale')(grantPermit(), event)),
  );
  await close();
  process.send?.(told.map((one) => (one.ok ? one.value.result : one.code)));
  process.disconnect();
});
