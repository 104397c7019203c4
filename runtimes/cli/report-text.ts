import type { ShownReport } from '../../application/support/show-report.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { ErrorReport } from '../../domain/support/error-report.ts';
import type { JoinedReport } from '../../domain/support/ticket.ts';
import { facts, plain } from './print.ts';

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
export const reportText = (shown: ShownReport): string => {
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
