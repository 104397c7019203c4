import type { Command } from 'commander';
import { ACTOR_KINDS, actorsNamed } from '../../domain/access/actor.ts';
import { DONE, isActionOrKind, SUBJECT_KINDS } from '../../domain/audit/actions.ts';
import type { FieldChange } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { addCommand, onShop, runsOn } from './command.ts';
import { table, withProgress } from './print.ts';
import { type EntryOf, productSlugs } from './send.ts';
import {
  account,
  line,
  MOMENT_HELP,
  MOST_ROWS,
  matching,
  moment,
  PRODUCT_HELP,
  productName,
  rows,
  since,
} from './values.ts';

type Options = {
  account?: number;
  product?: string;
  action?: string;
  by?: string;
  subject?: string;
  since?: Instant;
  until?: Instant;
  limit: number;
};

const NEWEST = 100;

/** The number of fields that a row shows; `--json` has all of them. */
const SHOWN_FIELDS = 3;

const action = matching('an action such as device.released, or a kind of record such as device', isActionOrKind);

const actor = matching(
  `one of ${ACTOR_KINDS.join(', ')}, optionally followed by a colon and an id, such as key:42`,
  (text) => actorsNamed(text) !== null,
);

/** Fields that identify a record. The row of a new record shows only these, because all of its fields are new. */
const NAMING_FIELDS = ['version', 'use', 'slug', 'number', 'prefix', 'role', 'name'];

type AuditEntry = EntryOf<'listAudit'>;

const changeText = ({ field, from, to }: FieldChange): string => {
  if (from === undefined || to === undefined) return field;
  return from === null || from === to ? `${field}: ${to ?? '-'}` : `${field} ${from} → ${to ?? '-'}`;
};

const namesRecord = ({ field, to }: FieldChange): boolean => NAMING_FIELDS.includes(field) && to !== undefined;

/** A summary of the changed fields. */
const changesText = ({ action: done, changes: all }: AuditEntry): string => {
  const changes = done.endsWith('.created') ? all.filter(namesRecord) : all;
  const more = changes.length - SHOWN_FIELDS;
  return [...changes.slice(0, SHOWN_FIELDS).map(changeText), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
};

const row = (entry: AuditEntry, slugs: ReadonlyMap<number | null, string>): (string | number | null)[] => {
  const { at, by, action: done, subject_id, account_id, product_id } = entry;
  const product = product_id === null ? null : (slugs.get(product_id) ?? product_id);
  const who = by.id === null ? by.kind : `${by.kind}:${by.id}`;
  return [at, who, by.through, by.from, done, subject_id, account_id, product, changesText(entry)];
};

const HEADINGS = ['when', 'who', 'through', 'from', 'what', 'subject', 'account', 'product', 'changes'];

const HELP = `
Kinds of actors:
  ${ACTOR_KINDS.join(', ')}
  \`key:42\` stands for key 42 alone

Kinds of records, each with its actions (\`device\` stands for all actions of
devices, \`device.released\` for one):
${SUBJECT_KINDS.map((kind) => `  ${kind.padEnd(15)} ${DONE[kind].join(', ')}`).join('\n')}`;

const list = runsOn(onShop, async (service, { account: account_id, ...filter }: Options) => {
  const listed = await withProgress((progress) => service.list('listAudit', { account_id, ...filter }, progress));
  if (!listed.ok) return listed;
  const slugs = await productSlugs(service);
  const lines = listed.value.map((entry) => row(entry, slugs));
  return ok({ json: listed.value, text: table(HEADINGS, lines) });
});

export const auditCommands = (program: Command): void => {
  const group = program.command('audit').description('who changed what, when, and from where');
  addCommand(group, 'list', 'list changes, newest first')
    .option('--account <id-or-email>', 'only changes of this account’s records, and those made by it', account)
    .option('--product <product>', `only changes about one product: ${PRODUCT_HELP}`, productName)
    .option('--action <action>', 'only this action, or the actions on one kind of record', action)
    .option('--by <actor>', 'only changes by one kind of actor, or by one actor', actor)
    .option('--subject <id>', 'only changes of the record with this id', line)
    .option('--since <date>', 'only changes from this day (in UTC) or time on', since)
    .option('--until <date>', `only changes up to ${MOMENT_HELP}`, moment)
    .option('--limit <number>', `maximum number of changes to list, from 1 to ${MOST_ROWS}`, rows, NEWEST)
    .addHelpText('after', HELP)
    .action(list);
};
