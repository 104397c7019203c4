import { showNotices, testNotices } from '../../../../application/notices/notices.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as shopNotices from '../../../../ports/inbound/shop/notices.ts';
import { handling } from '../handling.ts';
import { write } from './answers.ts';

/** Mails to the people who run the shop. */
export const shopNoticesHandlers = handling(shopNotices, { showNotices, testNotices }, (use) => ({
  showNotices: async () => ok(await use.showNotices()),
  testNotices: async () => write(async (permit) => ok(await use.testNotices(permit))),
}));
