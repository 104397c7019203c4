import type { Command } from 'commander';
import { LOGO_FIELDS, logoOfFile, MAX_LOGO_BYTES } from '../../domain/catalog/logo.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { readSmallFile } from '../files/read-text.ts';
import { addCommand, answerFrom, calls, onNewShop, runsOn } from './command.ts';
import { printed, tableOf } from './print.ts';
import type { AnswerOf, InputOf } from './send.ts';
import { matching } from './values.ts';

const FIELD = /^([a-z_]+)(?:\.([a-z_]+))?=(.*)$/s;
const field = matching('a field and its value, such as name=Tools', (text) => FIELD.test(text));

/** A list, a flag or a number within a field, as JSON; undefined for a text, which may begin as a list does. */
const asJson = (name: string, text: string): unknown => {
  if (!/^(?:[[{]|true$|false$)/.test(text) && !(name.includes('.') && /^\d+$/.test(text))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The value of a field: a logo from its file, JSON, or the text. */
const fieldValue = async (name: string, text: string): Promise<Outcome<unknown, string>> => {
  if (!Object.values<string>(LOGO_FIELDS).includes(name) || text.startsWith('https:')) {
    return ok(asJson(name, text) ?? text);
  }
  const read = await readSmallFile(text, MAX_LOGO_BYTES, 'nothing was changed');
  if (!read.ok) return read;
  const logo = logoOfFile(Buffer.from(await read.value.arrayBuffer()).toString('base64'));
  return logo ? ok(logo) : refuse('logo_unfit', { message: `${text} is not a PNG, JPEG or WebP picture.` });
};

/** The change of the storefront by the texts of fields, of which an empty one removes its field. */
const changeBy = async (storefront: Readonly<Record<string, unknown>>, texts: readonly string[]) => {
  const { changeStorefront } = await import('../../ports/inbound/shop/products.ts');
  const fields = Object.keys(changeStorefront.body().shape).filter((name) => name !== 'remove');
  const change: Record<string, unknown> = {};
  const remove: string[] = [];
  for (const one of texts) {
    const [, name = '', inner, text = ''] = FIELD.exec(one) ?? [];
    if (!fields.includes(name)) {
      return refuse('field_unknown', { message: `There is no field ${name}; the fields are ${fields.join(', ')}.` });
    }
    const value = text === '' ? ok(undefined) : await fieldValue(inner ? `${name}.${inner}` : name, text);
    if (!value.ok) return value;
    if (inner) change[name] = { ...(change[name] ?? storefront[name] ?? {}), [inner]: value.value };
    else if (text === '') remove.push(name);
    else change[name] = value.value;
  }
  return ok({ ...change, remove } as InputOf<'changeStorefront'>);
};

const changedText = ({ storefront, result }: AnswerOf<'changeStorefront'>): string =>
  `${result === 'unchanged' ? 'Nothing changed.' : 'The look is changed.'}\n\n${printed(storefront)}`;

export const lookCommands = (program: Command): void => {
  const group = program.command('look').description('the name, the look, the notices and the terms of the shop');
  addCommand(group, 'show', 'show the fields of the storefront').action(calls('showStorefront'));
  addCommand(group, 'set', 'change fields of the storefront; the others stay, and an empty value removes a field')
    .argument(
      '<fields...>',
      'such as name=Tools accent=#2b55c8 logo_url=logo.png notify.sale=daily',
      (text, all: readonly string[] = []) => [...all, field(text)],
    )
    .action(
      runsOn(onNewShop, async ({ send }, texts: readonly string[]) => {
        const stored = await send('showStorefront', {});
        const change = stored.ok ? await changeBy(stored.value, texts) : stored;
        return change.ok ? answerFrom(await send('changeStorefront', change.value), changedText) : change;
      }),
    );
};

const noticesText = tableOf<AnswerOf<'showNotices'>['kinds'][number]>('kind', 'time', {
  to: ({ to }) => to.join(' ') || '-',
});

export const noticesCommands = (program: Command): void => {
  const group = program.command('notices').description('mails to the people who run the shop; look set changes them');
  addCommand(group, 'show', 'show each kind with its time and its addresses').action(
    calls('showNotices', { text: ({ kinds }) => noticesText(kinds) }),
  );
  addCommand(group, 'test', 'mail a test to every address that gets notices').action(
    calls('testNotices', { text: ({ to }) => `A test is mailed to ${to.join(', ') || 'nobody'}.` }),
  );
};
