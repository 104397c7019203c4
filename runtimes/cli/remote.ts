import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import * as accounts from '../../ports/inbound/shop/accounts.ts';
import * as keys from '../../ports/inbound/shop/keys.ts';
import * as look from '../../ports/inbound/shop/look.ts';
import * as notices from '../../ports/inbound/shop/notices.ts';
import * as orders from '../../ports/inbound/shop/orders.ts';
import * as people from '../../ports/inbound/shop/people.ts';
import * as products from '../../ports/inbound/shop/products.ts';
import * as sales from '../../ports/inbound/shop/sales.ts';
import * as search from '../../ports/inbound/shop/search.ts';
import * as support from '../../ports/inbound/shop/support.ts';
import * as webhooks from '../../ports/inbound/shop/webhooks.ts';
import { type Sender, type ShopId, senderTo } from './send.ts';

/** The endpoints that commands call. Types check that none is missing. */
const ENDPOINTS = {
  ...orders,
  ...sales,
  ...accounts,
  ...keys,
  ...look,
  ...notices,
  ...products,
  ...support,
  ...search,
  ...people,
  ...webhooks,
} satisfies Readonly<Record<Exclude<ShopId, 'callShopMcp'>, EndpointSpec>>;

/** Sends commands to the shop host of a remote server. They need no local store. */
export const remoteSender = (server: string, token: string): Sender =>
  senderTo(Object.values(ENDPOINTS), async ({ method, path, body: takes }, { params, query, body, file }) => {
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    const form = new FormData();
    if (file) for (const [name, value] of Object.entries({ ...body, file })) form.append(name, value as File);
    const sent = await fetch(`${server}${target}${search === '' ? '' : `?${search}`}`, {
      method,
      redirect: 'manual',
      headers: { Authorization: `Bearer ${token}`, ...(takes && !file && { 'Content-Type': 'application/json' }) },
      ...(takes && { body: file ? form : JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException;
      throw new Error(`${server} does not answer: ${message.includes('\n') ? code : message}.`);
    });
    const answer = (await sent.json().catch(() => null)) as {
      readonly message?: string;
      readonly error?: string;
    } | null;
    if (sent.ok && answer) return ok(answer);
    const to = sent.headers.get('location');
    const why = sent.ok
      ? 'answered no JSON, or its answer broke off; check what was done, and whether it is the shop host.'
      : `answered ${sent.status}${to === null ? '' : `, and leads to ${to}`}.`;
    const { message = `${server} ${why}`, error = 'failed', ...data } = answer ?? {};
    return refuse(error, { message, data });
  });
