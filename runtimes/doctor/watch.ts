import { hostname } from 'node:os';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { NoticeBox } from '../../domain/notices/notice.ts';
import { mailsOf } from '../../domain/notices/telling.ts';
import type { Service } from '../composition/bootstrap.ts';
import type { Config } from '../configuration/config.ts';
import { checkBounded } from './bounded.ts';
import type { Finding, Part } from './finding.ts';
import { checkBackup, SALES_LEFT } from './store.ts';

/** The part of a message that stays the same while the records that it names after a colon change. */
const headOf = (message: string): string => message.split(': ', 1)[0] ?? '';

const problemsIn = (findings: readonly Finding[], on: string | null): NoticeBox['problems'] =>
  Object.fromEntries(
    findings.flatMap(({ check, ok, message }) => {
      const head = headOf(message);
      // Each refused event was reported separately.
      if (ok || head === headOf(SALES_LEFT.refused)) return [];
      const isOfEvents = head === headOf(SALES_LEFT.done) || head === headOf(SALES_LEFT.waiting);
      const kind = check === 'disk' || check === 'backup' ? check : isOfEvents ? 'payment_event' : 'doctor';
      const isOfMachine = kind === 'disk' || check === 'clock';
      const problem = { kind, name: check, text: message.slice(0, 1000), on: isOfMachine ? on : null } as const;
      // A message without a colon may contain a moment or a fault's own words.
      return [[head === message ? check : `${check}: ${head}`, problem]];
    }),
  );

/** Mails each finding to the shop once, and again when it is resolved. */
export const tellFindings = (service: Part<'notices'>, findings: readonly Finding[], on: string | null) => {
  // The later checks were skipped if one of these failed.
  const isWhole = findings.every(({ ok, check }) => ok || (check !== 'store' && check !== 'objects'));
  return service.get('notices').look(grantPermit(), problemsIn(findings, on), { on, isWhole });
};

/** Examines the store, its disk and the backup, and notifies the shop of problems, if anybody gets notices. */
export const watch = async (service: Service, config: Config): Promise<void> => {
  const notices = service.get('notices');
  if (!notices.sendsMail || mailsOf({ how: 'test', kinds: [] }, await notices.audience()).length === 0) return;
  const found = [...(await checkBounded(service, config)), ...(await checkBackup(service, config))];
  await tellFindings(service, found, hostname());
};
