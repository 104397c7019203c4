import { randomUUID } from 'node:crypto';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { newTicket } from '../../domain/support/ticket.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { aDevice, anOrder, aSubscription, NOW } from '../support/builders.ts';
import { done } from '../support/outcomes.ts';
import { aReport } from '../support/report-builders.ts';
import { order } from '../support/sale-events.ts';
import { anAccount, grant } from './buyers.ts';
import { DELIVERIES, deviceOf } from './good-requests.ts';
import { OTHER, TOOL } from './shop.ts';

/** An account with an order, an entitlement, a subscription and a device, all with the account's number. */
export const aShoppedAccount = async (service: Service): Promise<number> => {
  const account = await anAccount(service);
  const [own, permit] = [{ id: account, account_id: account }, grantPermit()];
  await grant(service, account, { id: account, product_id: TOOL, device_limit: 1 });
  await service.get('grants').saveSubscription(permit, aSubscription(own));
  const { slots } = await service.get('devices').find(account, TOOL, null);
  await service.get('devices').activate(permit, account, TOOL, aDevice({ device_id: deviceOf(account) }), slots);
  await service.get('billingRecords').saveOrder(permit, anOrder({ ...own, number: `SHOP-${account}` }));
  return account;
};

/** An order of the shop's own system that waits for its payment. */
export const aPendingOrder = async (service: Service, product = 'tool'): Promise<number> => {
  const lines = [{ product, quantity: 1, total_cents: 3000, discount_cents: 0 }];
  const event = order({ status: 'pending', paid_at: null, reference: randomUUID(), lines });
  return done(await service.get('recordSale')(grantPermit(), { ...event, provider: 'shop' })).order_id ?? 0;
};

/** A waiting event of the shop's own webhooks, whose id is the number of a new account. */
export const aPaymentEvent = async (service: Service): Promise<number> => {
  const id = await anAccount(service);
  const event = { provider: 'shop', type: 'order', state: 'waiting', reason: 'It waits.', account_id: id } as const;
  const received_at = service.get('clock').now();
  await service.get('paymentEvents').save(grantPermit(), { ...event, id: String(id), received_at, body: '{}' });
  return id;
};

/** A ticket of a new account, with the account's number. */
export const aTicket = async (service: Service): Promise<number> => {
  const [id, tickets] = [await anAccount(service), service.get('tickets')];
  const ticket = newTicket(aReport(), { id, account_id: id }, NOW);
  await tickets.open(grantPermit(), ticket, 'report', await tickets.opening(id, 'report'), undefined);
  return id;
};

/** A batch of two license keys that nobody used yet, with their values. */
export const aKeyBatch = async (service: Service) => {
  const terms = { access_days: null, updates_days: null, device_limit: null };
  const input = { product_id: OTHER, count: 2, name: 'Reviewers', ...terms };
  return done(await service.get('createKeyBatch')(grantPermit(), input));
};

/** The only webhook of the shop, with a delivery that ended. */
export const aWebhook = async (service: Service): Promise<number> => {
  const [webhooks, queue, permit] = [service.get('webhooks'), service.get('webhookQueue'), grantPermit()];
  for (const read of await webhooks.list()) await webhooks.remove(permit, read);
  const { id } = done(await service.get('createWebhook')(permit, { url: 'https://example.com/hook', kinds: [] }));
  await queue.add(permit, id, [{ kind: 'ping', record: 'ping', data: { webhook_id: id } }]);
  for await (const queued of queue.waiting(id)) {
    await queue.end(permit, queued, { ...queued.delivery, attempts: 1, state: 'delivered', ended_at: NOW });
    DELIVERIES.set(id, queued.delivery.id);
  }
  return id;
};

/** A member of the role `support` with a new account, beside the shop's owner. */
export const aMember = async (service: Service): Promise<number> => {
  const [account, members] = [await anAccount(service), service.get('members')];
  const member = { account_id: account, role: 'support', name: 'Bo', added_at: NOW } as const;
  const read = { members: [], version: (await members.read()).version };
  await members.change(grantPermit(), read, { before: undefined, after: member });
  return account;
};

/** A token of the shop's own systems. */
export const aToken = async (service: Service): Promise<number> =>
  done(await service.get('createAgentToken')(grantPermit(), { role: 'orders', name: 'Warehouse' })).token.id;

/** A closed ticket of a new account. */
export const aClosedTicket = async (service: Service): Promise<number> => {
  const ticket = await aTicket(service);
  await service.get('closeTicket')(grantPermit(), { ticket_id: ticket });
  return ticket;
};
