import { html } from 'hono/html';
import type { Product } from '../../../../domain/catalog/product.ts';
import { KEYS_IN_ANSWER } from '../../../../domain/licensing/key-batch.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { createKeyBatch, listKeyBatches, revokeKeyBatch } from '../../../../ports/inbound/shop/keys.ts';
import { listShopProducts } from '../../../../ports/inbound/shop/products.ts';
import { day } from '../../shared/dates.ts';
import type { Html } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { keys as en } from '../messages/en/keys.ts';
import { keys as ko } from '../messages/ko/keys.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberVisit, refused } from '../paths.ts';
import { dangerForm, form } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { folded, list, section } from '../views/pieces.ts';
import { productName, storedProduct } from './products.ts';

const words = inBoth({ en, ko });

const CREATE = '/keys/create';

type Batches = AnswerIn<typeof listKeyBatches>;

const keysView = (page: ConsolePage, { data, next_after }: Batches, products: readonly Product[]): Html => {
  const m = words(page);
  const options = products
    .filter(({ license_keys }) => license_keys)
    .map((product) => [product.slug, productName(page, product)] as const);
  const names = new Map(products.map((product) => [product.id, productName(page, product)]));
  const rows = data.map(({ id, product_id, name, unused, claimed, revoked, created_at }) => ({
    cells: [
      name,
      names.get(product_id) ?? String(product_id),
      String(unused),
      String(claimed),
      String(revoked),
      day(page, created_at),
      unused + claimed === 0
        ? ''
        : dangerForm(
            page,
            { action: '/keys/revoke', label: m.revoke, question: m.revokeText, submit: m.revokeGo },
            (kit) =>
              html`${kit.hidden('batch', id)}${claimed > 0 ? kit.check({ name: 'claimed', label: m.revokeClaimed, checked: false }) : ''}`,
          ),
    ],
  }));
  const columns = [m.name, m.product, m.unused, m.claimed, m.revoked, m.created, m.revoke];
  const empty = { title: m.none, text: m.noneText };
  const making = form(
    page,
    { action: CREATE, submit: m.createGo, kind: 'main', once: true },
    (kit) => html`<p>${m.once}</p>
${kit.text({ name: 'name', label: m.name, hint: m.nameHint, maxlength: 100, required: true })}
${kit.select({ name: 'product', label: m.product, hint: m.productHint, options, required: true })}
${kit.number({ name: 'count', label: m.count, min: 1, max: KEYS_IN_ANSWER, required: true })}
${kit.text({ name: 'edition', label: m.edition, hint: m.editionHint, maxlength: 40 })}
${kit.number({ name: 'access_days', label: m.accessDays, hint: m.daysHint, min: 1 })}
${kit.number({ name: 'updates_days', label: m.updatesDays, hint: m.daysHint, min: 1 })}
${kit.number({ name: 'device_limit', label: m.devices, hint: m.devicesHint, min: 0 })}`,
  );
  return layout(page, {
    title: m.title,
    section: 'keys',
    lead: m.lead,
    body: section(
      m.title,
      html`${list(page, { caption: m.title, columns, numbers: [2, 3, 4], rows, empty, next: next_after })}
${folded(m.create, making, page.filled?.action === CREATE)}`,
    ),
  });
};

/** The license keys that are made in advance, by batch. */
export const addKeyPages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  const needs = [listKeyBatches];
  paths.section('keys', needs);

  const answer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const found = await ask(visit, listKeyBatches, { query: { after: visit.query.get('after'), limit: 20 } });
    if (!found.ok) return blocked(found);
    const listed = await paths.glance(visit, listShopProducts, { query: { limit: 1000 } });
    return show((page) => keysView(page, found.value, (listed?.data ?? []).map(storedProduct)));
  };
  paths.page('/keys', needs, answer);

  paths.form(CREATE, { fresh: true, once: createKeyBatch }, async (visit) => {
    const made = await ask(visit, createKeyBatch, { body: fieldsOf(visit.form, createKeyBatch) });
    if (!made.ok) return refused(visit, made, await answer(visit));
    const { batch, keys } = made.value;
    return { file: { name: `keys-${batch.id}.csv`, type: 'text/csv', text: ['key', ...keys, ''].join('\n') } };
  });

  paths.form('/keys/revoke', { fresh: true }, async (visit) => {
    const params = { batch: visit.form.text('batch') };
    const claimed = visit.form.all('claimed').includes('true');
    const ended = await ask(visit, revokeKeyBatch, { params, body: { claimed } });
    if (!ended.ok) return refused(visit, ended, await answer(visit));
    const m = words(visit);
    const left = claimed ? ended.value.batch.claimed : 0;
    return done(visit, '/keys', left > 0 ? m.goOn(left) : m.done);
  });
};
