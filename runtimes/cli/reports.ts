import { createReadStream, createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { ListedReport, ShownReport } from '../../application/support/reports.ts';
import type { AnsweredTicket } from '../../application/support/tickets.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import { type JoinedReport, MAX_ANSWER, type Ticket } from '../../domain/support/ticket.ts';
import { oneLine } from '../composition/installation.ts';
import { ownTerminal } from './ask.ts';
import { does, leaf, onOperations, operatorPermit, shown } from './command.ts';
import { facts, plain, tableOf } from './print.ts';
import { id, line, MOST_ROWS, reportId, rows, since } from './values.ts';

/** A sender's text as indented lines, each safe for a terminal. */
const block = (text: string): string =>
  text
    .split(/\r\n|\n|\r/)
    .map((one) => `  ${plain(one.replaceAll('\t', '    '))}`)
    .join('\n');

const part = (heading: string, text: string | null): string[] => (text === null ? [] : ['', heading, block(text)]);

const errorText = (report: ErrorReport): string =>
  [
    facts({
      report: report.id,
      received: report.received_at,
      version: report.app_version,
      system: report.os_version,
      device: report.device_model,
      truncated: report.truncated?.join(', ') ?? null,
    }),
    ...part('message', report.error_message),
    ...part('stack trace', report.stack_trace),
    ...part('context', report.context && JSON.stringify(report.context, null, 2)),
  ].join('\n');

/** One line for a report that joined a ticket. */
const joinedText = ({ number, received_at, app_version, macos_version, device_id }: JoinedReport): string =>
  [
    `report ${number}`,
    received_at,
    ...(app_version === null ? [] : [`version ${app_version}`]),
    ...(macos_version === null ? [] : [`macOS ${macos_version}`]),
    ...(device_id === null ? [] : [`device ${device_id}`]),
  ].join(', ');

/** The text of a report. For a group of errors, it has the group and the newest report in full. */
const reportText = (report: ShownReport): string => {
  if (report.kind === 'error') {
    const { group, count, reports } = report;
    const head = facts({
      errors: group.fingerprint,
      app: group.app_bundle_id,
      type: group.error_type,
      exception: group.exception,
      title: group.title,
      reports: count,
      kept: reports.length,
      'first seen': group.first_seen,
      'last seen': group.last_seen,
      versions: group.versions.join(', '),
    });
    const [newest] = reports;
    return [head, ...(newest ? ['', errorText(newest)] : [])].join('\n');
  }
  const { ticket, account_email, count, files, joined, answers } = report;
  return [
    facts({
      ticket: ticket.id,
      account: account_email === null ? ticket.account_id : `${ticket.account_id}, ${account_email}`,
      kind: ticket.kind,
      status: ticket.status,
      opened: ticket.created_at,
      reports: count,
      product: ticket.product_id ?? null,
      app: ticket.app_bundle_id,
      version: ticket.app_version,
      macOS: ticket.macos_version,
      device: ticket.device_id,
      ...Object.fromEntries(
        files.map(({ number, name, size, type }) => [`file ${number}`, `${name}, ${countOf(size, 'byte')}, ${type}`]),
      ),
    }),
    ...part('summary', ticket.summary),
    ...part('detail', ticket.detail),
    ...answers.flatMap(({ number, answered_at, by, text, from }) =>
      part(
        `${from === 'buyer' ? 'reply of the buyer' : 'answer'} ${number}, ${answered_at}${by === null ? '' : `, ${plain(by)}`}`,
        text,
      ),
    ),
    ...(joined.length === 0 ? [] : ['', 'joined by']),
    ...joined.map((one) => block(joinedText(one))),
  ].join('\n');
};

type ListOptions = {
  kind?: 'error' | 'support';
  status?: Ticket['status'];
  app?: string;
  since?: Instant;
  limit: number;
};

const STATUSES: readonly Ticket['status'][] = ['open', 'closed'];

const NEWEST = 100;

const reportsText = tableOf<ListedReport>('id', { app: 'app_bundle_id' }, 'type', 'reports', 'last_seen', 'status', {
  title: ({ title }) => title.slice(0, 60),
});

const list = does(onOperations, async (service, options: ListOptions) => {
  const { kind = null, status = null, app = null, since: from = null, limit } = options;
  return shown(ok(await service.get('listReports')({ kind, status, app, since: from, limit })), reportsText);
});

type BundleOptions = { out: string; number?: number };

const save = does(onOperations, async (service, ticket: number, { out, number }: BundleOptions) => {
  const opened = await service.get('openReportFile')(ticket, number ?? null);
  if (!opened.ok) return opened;
  const { file, stream } = opened.value;
  try {
    await pipeline(stream, createWriteStream(out, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return refuse('file_exists', { message: `${out} is there already; name another file.` });
    if (['ENOENT', 'ENOTDIR'].includes(code)) {
      return refuse('folder_not_found', { message: `There is no folder ${dirname(out)}; make it, or name another.` });
    }
    throw error;
  }
  const { name, type, size, sha256 } = file;
  return ok({
    json: { ...file, out },
    text: facts({ saved: out, 'sent as': name, type: type, bytes: size, sha256: sha256 }),
  });
});

/** The most bytes that are read, so that a wrong file is not read whole: UTF-8 has up to 4 bytes for a character. */
const MAX_BYTES = MAX_ANSWER * 4 + 4096;

const textOf = async (input: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > MAX_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
};

/** The text of an answer, from a file or from standard input. */
const readText = async (file: string | undefined): Promise<Outcome<string, 'file_not_readable' | 'text_required'>> => {
  const { input } = ownTerminal();
  if (file === undefined && input.isTTY) {
    return refuse('text_required', { message: 'Name a file with --text-file, or give the answer on standard input.' });
  }
  try {
    return ok(await textOf(file === undefined ? input : createReadStream(file)));
  } catch (error) {
    return refuse('file_not_readable', { message: `${file} can’t be read: ${oneLine(error)}` });
  }
};

const written = ({ ticket, answer: given, account_email }: AnsweredTicket): string => {
  const kept = `Answer ${given.number} is kept with ticket ${ticket.id}, which is ${ticket.status}.`;
  return account_email === null
    ? `${kept} The account is gone, so nobody reads it.`
    : `${kept} The buyer reads it on the page /support of the account host. No mail is sent; write to ${account_email} where it is urgent.`;
};

/** The text about a ticket that is open or closed, whether it was so already or not. */
const stateText =
  (state: 'open' | 'closed') =>
  ({ id: ticket, result }: { readonly id: number; readonly result: string }): string =>
    `ticket ${ticket} is ${state}${result === 'unchanged' ? ' already' : ''}`;

const onTicket = (group: Command, name: string, description: string): Command =>
  leaf(group, name, description).argument('<ticket>', 'id of the ticket', id);

export const reportCommands = (program: Command): void => {
  const group = program.command('reports').description('reported errors and problems');
  const listing = leaf(group, 'list', 'list errors and tickets, newest first')
    .addOption(new Option('--kind <kind>', 'only reports of this kind').choices(['error', 'support']))
    .option('--app <id>', 'only reports of the application with this bundle id', line)
    .option('--since <date>', 'only reports from this day (in UTC) or this moment on', since)
    .addOption(new Option('--status <status>', 'only tickets with this status').choices(STATUSES))
    .option('--limit <number>', `most reports to list, from 1 to ${MOST_ROWS}`, rows, NEWEST);
  listing.action((options: ListOptions) => {
    if (options.kind === 'error' && options.status !== undefined) {
      listing.error("error: option '--status' is for tickets, and '--kind error' leaves them out");
    }
    return list(options);
  });
  leaf(group, 'show', 'show an error or a ticket in full')
    .argument('<id>', 'id of a ticket, of errors as `list` shows them, or of one error as its sender got it', reportId)
    .action(
      does(onOperations, async (service, named: string) => shown(await service.get('showReport')(named), reportText)),
    );
  onTicket(
    group,
    'bundle',
    'save a file that came with a ticket, unchanged; open it with care, for a stranger may have made it',
  )
    .requiredOption('--out <file>', 'file to create; an existing file is never overwritten')
    .option('--number <number>', 'number of the report with the file; the newest report with a file if left out', id)
    .action(save);
  onTicket(group, 'close', 'close a ticket').action(
    does(onOperations, async (service, ticket: number) =>
      shown(await service.get('closeTicket')(operatorPermit('reports close'), ticket), stateText('closed')),
    ),
  );
  onTicket(group, 'reopen', 'open a closed ticket again').action(
    does(onOperations, async (service, ticket: number) =>
      shown(await service.get('reopenTicket')(operatorPermit('reports reopen'), ticket), stateText('open')),
    ),
  );
  onTicket(
    group,
    'answer',
    'answer a ticket; its buyer reads the answer on the account’s pages, and by mail where mail is sent',
  )
    .option('--text-file <file>', `file with the answer, at most ${MAX_ANSWER} characters; standard input if left out`)
    .option('--close', 'close the ticket too')
    .action(
      does(onOperations, async (service, ticket: number, options: { textFile?: string; close?: boolean }) => {
        const text = await readText(options.textFile);
        if (!text.ok) return text;
        const wish = { id: ticket, text: text.value, close: options.close ?? false };
        return shown(await service.get('answerTicket')(operatorPermit('reports answer'), wish), written);
      }),
    );
};
