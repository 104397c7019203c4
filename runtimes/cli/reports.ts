import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { isBlank } from '../../domain/shared/plain-text.ts';
import { MAX_ANSWER, MAX_ATTACHMENT, type Ticket } from '../../domain/support/ticket.ts';
import { readSmallFile, readText } from '../files/read-text.ts';
import { ownTerminal } from './ask.ts';
import { addCommand, answerFrom, calls, lists, onShop, runsOn } from './command.ts';
import { remoteServer } from './options.ts';
import { printed, tableOf } from './print.ts';
import type { AnswerOf, EntryOf, Sender } from './send.ts';
import { id, line, MOST_ROWS, reportId, rows, since } from './values.ts';

/** The text of a report. A group of errors shows only its newest report. */
const reportText = (report: AnswerOf<'showReport'>): string =>
  printed(report.reports ? { ...report, kept: report.reports.length, reports: report.reports.slice(0, 1) } : report);

const STATUSES: readonly Ticket['status'][] = ['open', 'closed'];

const NEWEST = 100;

type ListedReport = EntryOf<'listReports'>;

const reportsText = tableOf<ListedReport>('id', { app: 'app_bundle_id' }, 'type', 'reports', 'last_seen', 'status', {
  title: ({ title }) => title.slice(0, 60),
});

type BundleOptions = { out: string; number?: number };

/** A file of a ticket on a remote server, by its link. */
const openLinked = async ({ send }: Sender, ticket: number, number: number | undefined) => {
  const report = await send('showReport', { report: String(ticket) });
  if (!report.ok) return report;
  const { files = [] } = report.value;
  const file = number === undefined ? files.at(-1) : files.find((one) => one.number === number);
  const answer = file?.download_url ? await fetch(file.download_url) : undefined;
  if (file && answer?.ok && answer.body) return ok({ file, stream: Readable.fromWeb(answer.body) });
  return refuse('not_found', { message: `Ticket ${ticket} has no such file, or it is no longer stored.` });
};

const save = runsOn(onShop, async (service, ticket: number, { out, number }: BundleOptions) => {
  const opened =
    remoteServer() === undefined
      ? await service.get('openReportFile')(ticket, number ?? null)
      : await openLinked(service, ticket, number);
  if (!opened.ok) return opened;
  const { file, stream } = opened.value;
  try {
    await pipeline(stream, createWriteStream(out, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return refuse('file_exists', { message: `${out} already exists; name another file.` });
    if (['ENOENT', 'ENOTDIR'].includes(code)) {
      return refuse('folder_not_found', { message: `There is no folder ${dirname(out)}; create it, or name another.` });
    }
    throw error;
  }
  return answerFrom(ok({ ...file, out }));
});

/**
 * The maximum number of bytes to read, so that a wrong file is not read whole. A character has up to 4 bytes in UTF-8.
 */
const MAX_BYTES = MAX_ANSWER * 4 + 4096;

/** The text of an answer, from a file or from standard input. */
const readAnswer = async (
  file: string | undefined,
): Promise<Outcome<string, 'empty_answer' | 'file_not_readable' | 'text_required'>> => {
  const { input } = ownTerminal();
  if (file === undefined && input.isTTY) {
    return refuse('text_required', { message: 'Name a file with --text-file, or give the answer on standard input.' });
  }
  const source = file === undefined ? { file: 'Standard input', input } : { file };
  const read = await readText({ ...source, most: MAX_BYTES }, 'file_not_readable', 'nothing was sent');
  return read.ok && isBlank(read.value)
    ? refuse('empty_answer', { message: 'The answer is empty; enter its text.' })
    : read;
};

const written = ({ ticket, answer: reply, file, account_email }: AnswerOf<'answerTicket'>): string => {
  const without = file === null ? ' Its file is not: the account is gone, or has too many bytes of files today.' : '';
  const stored = `Answer ${reply.number} is stored with ticket ${ticket.id}, which is ${ticket.status}.${without}`;
  return account_email === null
    ? `${stored} The account is gone, so nobody can read it.`
    : `${stored} The buyer can read it at /support of the account host. If the server sends mail, it is also mailed to ${account_email}.`;
};

/** The text about a ticket that is now open or closed, whether or not it changed. */
const stateText =
  (state: 'open' | 'closed') =>
  ({ id: ticket, result }: { readonly id: number; readonly result: string }): string =>
    `ticket ${ticket} is ${state}${result === 'unchanged' ? ' already' : ''}`;

type AnswerOptions = { textFile?: string; file?: string; close?: boolean };

const onTicket = (group: Command, name: string, description: string): Command =>
  addCommand(group, name, description).argument('<ticket>', 'id of the ticket', id);

export const reportCommands = (program: Command): void => {
  const group = program.command('reports').description('reported errors and problems');
  const listing = addCommand(group, 'list', 'list errors and tickets, newest first')
    .addOption(new Option('--kind <kind>', 'only reports of this kind').choices(['error', 'support']))
    .option('--app <id>', 'only reports of the application with this bundle id', line)
    .option('--since <date>', 'only reports from this day (in UTC) or time on', since)
    .addOption(new Option('--status <status>', 'only tickets with this status').choices(STATUSES))
    .option('--limit <number>', `maximum number of reports to list, from 1 to ${MOST_ROWS}`, rows, NEWEST);
  listing.action((...args: unknown[]) => {
    const { kind, status } = listing.opts<{ kind?: string; status?: string }>();
    if (kind === 'error' && status !== undefined) {
      listing.error("error: option '--status' is for tickets, and '--kind error' leaves them out");
    }
    return lists('listReports', { text: reportsText })(...args);
  });
  addCommand(group, 'show', 'show an error or a ticket in full')
    .argument(
      '<report>',
      'id of a ticket, of errors as `list` shows them, or of one error as its sender got it',
      reportId,
    )
    .action(calls('showReport', { text: reportText }));
  onTicket(group, 'bundle', 'save a file from a ticket, unchanged; treat it as untrusted')
    .requiredOption('--out <file>', 'file to create; an existing file is never overwritten')
    .option('--number <number>', 'number of the report with the file; default: the newest report with a file', id)
    .action(save);
  onTicket(group, 'close', 'close a ticket').action(calls('closeTicket', { text: stateText('closed') }));
  onTicket(group, 'reopen', 'open a closed ticket again').action(calls('reopenTicket', { text: stateText('open') }));
  onTicket(
    group,
    'answer',
    'answer a ticket; the buyer reads the answer on the account’s pages, and by mail if the server sends mail',
  )
    .option('--text-file <file>', `file with the answer, at most ${MAX_ANSWER} characters; default: standard input`)
    .option('--file <file>', `file that the buyer can download, of at most ${MAX_ATTACHMENT} bytes`)
    .option('--close', 'also close the ticket')
    .action(
      runsOn(onShop, async ({ send }, ticket: number, { textFile, file: path, close = false }: AnswerOptions) => {
        const file = path === undefined ? ok(undefined) : await readSmallFile(path, MAX_ATTACHMENT, 'nothing was sent');
        const text = file.ok ? await readAnswer(textFile) : file;
        if (!file.ok || !text.ok) return text as Refused;
        return answerFrom(await send('answerTicket', { ticket, text: text.value, close, file: file.value }), written);
      }),
    );
};
