import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEVICE_KEY_IDLE_DAYS, LIVE_KEY_QUOTA } from '../../domain/access/api-key.ts';
import { FILES_PER_MINUTE } from '../../domain/access/rate-limit.ts';
import { REPLAY_HOURS } from '../../domain/access/replay.ts';
import { MAX_HTML_BYTES, MAX_IMAGE_BYTES } from '../../domain/design/collect/capture.ts';
import { MAX_CAPTURES } from '../../domain/design/collect/run-rules.ts';
import { MAX_BODY_BYTES, MAX_DOCUMENTS, MAX_PENDING } from '../../domain/design/documents/document.ts';
import { MOST_DEVICES } from '../../domain/devices/seat.ts';
import {
  INSTALLS_A_DAY,
  INSTALLS_KEPT_DAYS,
  USAGE_A_DAY,
  USAGE_KEPT_DAYS,
  USAGE_TAKEN_DAYS,
} from '../../domain/devices/usage.ts';
import { NOTICES_A_DAY, WAYS_IN_NOTICES_A_DAY } from '../../domain/mail/message.ts';
import { MAX_PIXELS } from '../../domain/shared/image-head.ts';
import { MAX_PAGE_SIZE } from '../../domain/shared/paging.ts';
import * as attempts from '../../domain/sign-in/attempts.ts';
import { DEVICE_SIGN_IN_MINUTES } from '../../domain/sign-in/device-sign-in.ts';
import { MOST_APPS } from '../../domain/sign-in/oauth-grant.ts';
import { SESSION_DAYS, SESSION_IDLE_DAYS } from '../../domain/sign-in/session.ts';
import { LINK_MINUTES, ORDER_LINK_DAYS } from '../../domain/sign-in/sign-in-link.ts';
import { NEW_GROUPS_OF_APP } from '../../domain/support/error-group.ts';
import { ERROR_BYTES_OF_ADDRESS, ERROR_BYTES_OF_STORE } from '../../domain/support/error-report.ts';
import { FILE_BYTES_A_DAY, FILES_KEPT_DAYS, TICKETS_A_DAY, TICKETS_KEPT_DAYS } from '../../domain/support/ticket.ts';

const MIB = 1024 * 1024;
const RUNNING = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'running.md'), 'utf8');

/** The numbers in the bound of a limit, from the second cell of its row. */
const documented = (limit: string): number[] => {
  const row = RUNNING.split('\n').find((line) => line.startsWith(`| ${limit}`));
  const numbers = row?.split('|')[2]?.match(/\d[\d,]*/g) ?? [];
  return numbers.map((text) => Number(text.replaceAll(',', '')));
};

test.each<[limit: string, ...bound: number[]]>([
  ['files a minute', FILES_PER_MINUTE],
  ['entries on a page', MAX_PAGE_SIZE],
  ['answer kept for an', REPLAY_HOURS],
  ['live keys', LIVE_KEY_QUOTA],
  ['devices of a product', MOST_DEVICES],
  ['device key without use', DEVICE_KEY_IDLE_DAYS],
  ['installs a day', INSTALLS_A_DAY.most, INSTALLS_KEPT_DAYS],
  ['usage a day', USAGE_A_DAY.most / MIB, USAGE_KEPT_DAYS],
  ['age of a usage row', USAGE_TAKEN_DAYS],
  ['tickets a day', TICKETS_A_DAY.most, Math.floor(TICKETS_KEPT_DAYS / 365)],
  ['files of reports and messages a day', FILE_BYTES_A_DAY / MIB, FILES_KEPT_DAYS],
  ['messages about devices a day', NOTICES_A_DAY.most, WAYS_IN_NOTICES_A_DAY.most],
  ['changes of an account', attempts.EMAIL_CHANGES_A_DAY.most],
  ['connected applications, browsers', MOST_APPS],
  ['wrong passwords in 15 minutes', attempts.PASSWORDS_PER_ADDRESS, attempts.PASSWORDS_PER_KNOWN_BROWSER],
  ['wrong passwords in an hour', attempts.PASSWORDS_PER_EMAIL],
  [
    'mailed sign-in links',
    attempts.MAILED_LINKS_PER_ADDRESS,
    attempts.MAILED_LINKS_PER_ADDRESS_AND_EMAIL,
    attempts.MAILED_LINKS_PER_KNOWN_BROWSER,
  ],
  ['device codes requested', attempts.DEVICE_SIGN_INS_PER_ADDRESS],
  ['browser session', SESSION_DAYS, SESSION_IDLE_DAYS],
  ['one-time link; device code', LINK_MINUTES / 60, DEVICE_SIGN_IN_MINUTES],
  ['link in the mail of an order', ORDER_LINK_DAYS],
  ['stored a day per address, in all', ERROR_BYTES_OF_ADDRESS.most / MIB, ERROR_BYTES_OF_STORE.most / MIB],
  ['new groups a day', NEW_GROUPS_OF_APP],
  ['captures, assets of a run', MAX_CAPTURES],
  ['image; markup or asset', MAX_IMAGE_BYTES / MIB, MAX_PIXELS / 1e6, MAX_HTML_BYTES / MIB],
  ['document; documents', MAX_BODY_BYTES / 1024, MAX_DOCUMENTS, MAX_PENDING],
])('docs/running.md documents the limit that the service enforces: %s', (limit, ...bound) => {
  expect(documented(limit)).toEqual(bound);
});
