import { ABILITIES, PERSONAL_KEY_ABILITIES } from '../../../../domain/access/abilities.ts';
import { dayOf, type Instant } from '../../../../domain/shared/instant.ts';
import { plainName } from '../../../../domain/shared/plain-name.ts';
import type { Form } from '../form.ts';
import type { Messages } from '../messages/en.ts';
import type { KeyForm, KeyFormFaults, OwnProduct } from '../views/keys.ts';

/** The longest name of a key. */
const LONGEST_NAME = 100;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The form before anything is entered. */
export const EMPTY_KEY_FORM: KeyForm = { name: '', abilities: PERSONAL_KEY_ABILITIES, product: '', expires: '' };

/** The form as it was sent; abilities that there are not are left out. */
export const keyFormIn = (form: Form): KeyForm => {
  const asked = new Set(form.all('ability'));
  return {
    name: plainName(form.text('name')) ?? '',
    abilities: ABILITIES.filter((ability) => asked.has(ability)),
    product: form.text('product'),
    expires: form.text('expires'),
  };
};

/** The last moment of a calendar day in UTC; null for a text that is none. */
export const endOfDay = (day: string): Instant | null => {
  const end = `${day}T23:59:59.999Z`;
  return DAY.test(day) && !Number.isNaN(Date.parse(end)) && dayOf(new Date(end).toISOString()) === day ? end : null;
};

/** The faults of the form by field. A product that the account does not have is none of its products. */
export const keyFormFaults = (
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
