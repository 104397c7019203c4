import { ABILITIES, PERSONAL_KEY_ABILITIES } from '../../../../domain/access/abilities.ts';
import { isLive, keyEnd } from '../../../../domain/access/api-key.ts';
import { dayOf, type Instant } from '../../../../domain/shared/instant.ts';
import { plainName } from '../../../../domain/shared/plain-text.ts';
import type { Notice } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { isSecretText, newSecret } from '../csrf.ts';
import type { Form } from '../form.ts';
import type { OwnFormVisit, OwnVisit } from '../gate.ts';
import type { Messages } from '../messages/en.ts';
import { MESSAGES } from '../messages/messages.ts';
import type { Paths } from '../paths.ts';
import { clientName } from '../views/client-name.ts';
import { type KeyForm, type KeyFormFaults, keysView, newKeyView, type OwnProduct } from '../views/keys.ts';
import { noticeIn } from './notices.ts';

/** The longest name of a key. */
const LONGEST_NAME = 100;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The form before anything is entered. */
const EMPTY_KEY_FORM: KeyForm = { name: '', abilities: PERSONAL_KEY_ABILITIES, product: '', expires: '' };

/** The form as it was sent; abilities that there are not are left out. */
const keyFormIn = (form: Form): KeyForm => {
  const asked = new Set(form.all('ability'));
  return {
    name: plainName(form.text('name')) ?? '',
    abilities: ABILITIES.filter((ability) => asked.has(ability)),
    product: form.text('product'),
    expires: form.text('expires'),
  };
};

/** The last moment of a calendar day in UTC; null for a text that is none. */
const endOfDay = (day: string): Instant | null => {
  const end = `${day}T23:59:59.999Z`;
  return DAY.test(day) && !Number.isNaN(Date.parse(end)) && dayOf(new Date(end).toISOString()) === day ? end : null;
};

/** The faults of the form by field. A product that the account does not have is none of its products. */
const keyFormFaults = (
  { name, abilities, product, expires }: KeyForm,
  products: readonly OwnProduct[],
  now: Instant,
  { keys: { errors } }: Messages,
): KeyFormFaults => {
  const end = endOfDay(expires);
  const hasEnd = expires === '' || (end !== null && end > now);
  return {
    name: name === '' || name.length > LONGEST_NAME ? errors.name : undefined,
    abilities: abilities.length === 0 ? errors.abilities : undefined,
    product: product === '' || products.some(({ id }) => String(id) === product) ? undefined : errors.product,
    expires: hasEnd ? undefined : errors.expires,
  };
};

type KeyPageOptions = {
  readonly form?: KeyForm;
  readonly faults?: KeyFormFaults;
  readonly notice: (m: Messages) => Notice | null;
  readonly status?: number;
};

/** The keys of the account. */
export const addKeyPages = (paths: Paths): void => {
  const { settings, cookies } = paths;
  const { catalogs, listApiKeys, listPurchases, createApiKey, revokeOwnKey, keyQuota, clock } = settings.parts;

  const productsOf = async ({ session, locale }: OwnVisit): Promise<OwnProduct[]> => {
    const purchases = await listPurchases({ accountId: session.account_id, locale });
    return purchases.filter(({ license }) => license.state === 'active');
  };

  const list = async (visit: OwnVisit, { form = EMPTY_KEY_FORM, faults = {}, notice, status }: KeyPageOptions) => {
    const now = clock.now();
    const [listed, products, { productsByBundleId }] = await Promise.all([
      listApiKeys(visit.session.account_id),
      productsOf(visit),
      catalogs.current(),
    ]);
    const keys = (listed.ok ? listed.value : [])
      .filter((key) => isLive(key, now))
      .map((key) => {
        const { client } = key;
        const client_name = client && clientName(client, productsByBundleId, visit.locale);
        return { ...key, client_name, ends_at: keyEnd(key) };
      });
    const once = isSecretText(visit.sent.once) ? visit.sent.once : newSecret();
    const answer = show(
      (page) =>
        keysView(page, {
          keys,
          products,
          form,
          faults,
          limit: keyQuota,
          once,
          today: dayOf(now),
          notice: notice(page.m),
        }),
      status,
      '/keys',
    );
    return once === visit.sent.once ? answer : { ...answer, cookies: [cookies.set('once', once)] };
  };

  paths.own('/keys', (visit) =>
    list(visit, {
      notice: noticeIn(visit.query, {
        done: ({ keys: { revoked, gone } }) => ({ revoked, gone }),
        faults: ({ keys: { sentTwice } }) => ({ twice: sentTwice }),
      }),
    }),
  );

  /** Each form creates a key once: the cookie's value goes with the first one, so that reloading creates no other. */
  const create = async (visit: OwnFormVisit): Promise<Answer> => {
    const { session, permit, sent, form: fields, locale } = visit;
    if (sent.once === undefined || fields.text('once') !== sent.once) return goTo('/keys?done=twice');
    const form = keyFormIn(fields);
    const faults = keyFormFaults(form, await productsOf(visit), clock.now(), MESSAGES[locale]);
    if (Object.values(faults).some((fault) => fault !== undefined)) {
      const notice = ({ keys }: Messages): Notice => ({ kind: 'fault', text: keys.check });
      return list(visit, { form, faults, notice, status: 422 });
    }
    const created = await createApiKey(permit, {
      account_id: session.account_id,
      name: form.name,
      abilities: form.abilities,
      product_id: form.product === '' ? null : Number(form.product),
      expires_at: endOfDay(form.expires),
    });
    if (created.ok) {
      const { key, value } = created.value;
      const answer = show((page) => newKeyView(page, { name: key.name, value }), 201, '/keys');
      return { ...answer, cookies: [cookies.set('once', newSecret())] };
    }
    if (created.code !== 'key_limit_reached') return goTo('/keys');
    const notice = ({ keys }: Messages): Notice => ({
      kind: 'fault',
      text: keys.quota(Number(created.data?.['limit'])),
    });
    return list(visit, { form, notice, status: 409 });
  };

  paths.boundedForm('/keys', '/keys', create);

  paths.ownForm('/keys/revoke', '/keys', async ({ session, form, permit }) => {
    const id = form.id('key');
    const revoked = id !== null && (await revokeOwnKey(permit, session.account_id, id)).ok;
    return goTo(`/keys?done=${revoked ? 'revoked' : 'gone'}`);
  });
};
