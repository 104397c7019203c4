import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { ListedReport } from '../../application/support/list-reports.ts';
import type { ShownReport } from '../../application/support/show-report.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import type { JoinedReport, Ticket } from '../../domain/support/ticket.ts';
import { type Answered, answer, leaf, onOperations } from './command.ts';
import { operatorPermit } from './operator.ts';
import { facts, plain, table } from './print.ts';
import { answerCommand } from './report-answer.ts';
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
    facts([
      ['report', report.id],
      ['received', report.received_at],
      ['version', report.app_version],
      ['system', report.os_version],
      ['device', report.device_model],
      ['truncated', report.truncated?.join(', ') ?? null],
    ]),
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
const reportText = (shown: ShownReport): string => {
  if (shown.kind === 'error') {
    const { group, count, reports } = shown;
    const head = facts([
      ['errors', group.fingerprint],
      ['app', group.app_bundle_id],
      ['type', group.error_type],
      ['exception', group.exception],
      ['title', group.title],
      ['reports', count],
      ['kept', reports.length],
      ['first seen', group.first_seen],
      ['last seen', group.last_seen],
      ['versions', group.versions.join(', ')],
    ]);
    const [newest] = reports;
    return [head, ...(newest ? ['', errorText(newest)] : [])].join('\n');
  }
  const { ticket, account_email, count, files, joined, answers } = shown;
  return [
    facts([
      ['ticket', ticket.id],
      ['account', account_email === null ? ticket.account_id : `${ticket.account_id}, ${account_email}`],
      ['kind', ticket.kind],
      ['status', ticket.status],
      ['opened', ticket.created_at],
      ['reports', count],
      ['app', ticket.app_bundle_id],
      ['version', ticket.app_version],
      ['macOS', ticket.macos_version],
      ['device', ticket.device_id],
      ...files.map((file): [string, string] => [
        `file ${file.number}`,
        `${file.name}, ${countOf(file.size, 'byte')}, ${file.type}`,
      ]),
    ]),
    ...part('summary', ticket.summary),
    ...part('detail', ticket.detail),
    ...answers.flatMap(({ number, answered_at, by, text }) =>
      part(`answer ${number}, ${answered_at}${by === null ? '' : `, ${plain(by)}`}`, text),
    ),
    ...(joined.length === 0 ? [] : ['', 'joined by']),
    ...joined.map((one) => block(joinedText(one))),
  ].join('\n');
};

type Options = { json?: boolean };
type ListOptions = Options & {
  kind?: 'error' | 'support';
  status?: Ticket['status'];
  app?: string;
  since?: Instant;
  limit: number;
};

const STATUSES: readonly Ticket['status'][] = ['open', 'closed'];

const NEWEST = 100;

const row = ({ id: shown, app_bundle_id, type, reports, last_seen, status, title }: ListedReport) => [
  shown,
  app_bundle_id,
  type,
  reports,
  last_seen,
  status,
  title.slice(0, 60),
];

const listCommand = (group: Command): void => {
  const command = leaf(group, 'list', 'list errors and tickets, newest first')
    .addOption(new Option('--kind <kind>', 'only reports of this kind').choices(['error', 'support']))
    .option('--app <id>', 'only reports of the application with this bundle id', line)
    .option('--since <date>', 'only reports from this day (in UTC) or this moment on', since)
    .addOption(new Option('--status <status>', 'only tickets with this status').choices(STATUSES))
    .option('--limit <number>', `most reports to list, from 1 to ${MOST_ROWS}`, rows, NEWEST);
  command.action((options: ListOptions) => {
    if (options.kind === 'error' && options.status !== undefined) {
      command.error("error: option '--status' is for tickets, and '--kind error' leaves them out");
    }
    return answer(options, () =>
      onOperations(async (service) => {
        const { kind = null, status = null, app = null, since: from = null, limit } = options;
        const found = await service.get('listReports')({ kind, status, app, since: from, limit });
        const headings = ['id', 'app', 'type', 'reports', 'last seen', 'status', 'title'];
        return ok({ json: found, text: table(headings, found.map(row)) });
      }),
    );
  });
};

const showCommand = (group: Command): void => {
  leaf(group, 'show', 'show an error or a ticket in full')
    .argument('<id>', 'id of a ticket, of errors as `list` shows them, or of one error as its sender got it', reportId)
    .action((shown: string, options: Options) =>
      answer(options, () =>
        onOperations(async (service) => {
          const found = await service.get('showReport')(shown);
          return found.ok ? ok({ json: found.value, text: reportText(found.value) }) : found;
        }),
      ),
    );
};

const save = (ticket: number, out: string, number: number | null): Answered =>
  onOperations(async (service) => {
    const opened = await service.get('openReportFile')(ticket, number);
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
      text: facts([
        ['saved', out],
        ['sent as', name],
        ['type', type],
        ['bytes', size],
        ['sha256', sha256],
      ]),
    });
  });

const bundleCommand = (group: Command): void => {
  leaf(
    group,
    'bundle',
    'save a file that came with a ticket, unchanged; open it with care, for a stranger may have made it',
  )
    .argument('<ticket>', 'id of the ticket', id)
    .requiredOption('--out <file>', 'file to create; an existing file is never overwritten')
    .option('--number <number>', 'number of the report with the file; the newest report with a file if left out', id)
    .action((ticket: number, options: Options & { out: string; number?: number }) =>
      answer(options, () => save(ticket, options.out, options.number ?? null)),
    );
};

const closeCommand = (group: Command): void => {
  leaf(group, 'close', 'close a ticket')
    .argument('<ticket>', 'id of the ticket', id)
    .action((ticket: number, options: Options) =>
      answer(options, () =>
        onOperations(async (service) => {
          const closed = await service.get('closeTicket')(operatorPermit('reports close'), ticket);
          if (!closed.ok) return closed;
          const already = closed.value.result === 'unchanged' ? ' already' : '';
          return ok({ json: closed.value, text: `ticket ${ticket} is closed${already}` });
        }),
      ),
    );
};

const reopenCommand = (group: Command): void => {
  leaf(group, 'reopen', 'open a closed ticket again')
    .argument('<ticket>', 'id of the ticket', id)
    .action((ticket: number, options: Options) =>
      answer(options, () =>
        onOperations(async (service) => {
          const opened = await service.get('reopenTicket')(operatorPermit('reports reopen'), ticket);
          if (!opened.ok) return opened;
          const already = opened.value.result === 'unchanged' ? ' already' : '';
          return ok({ json: opened.value, text: `ticket ${ticket} is open${already}` });
        }),
      ),
    );
};

export const reportCommands = (program: Command): void => {
  const group = program.command('reports').description('reported errors and problems');
  listCommand(group);
  showCommand(group);
  bundleCommand(group);
  closeCommand(group);
  reopenCommand(group);
  answerCommand(group);
};
