import * as z from 'zod';
import { NOTICE_KINDS, NOTICE_TIMES } from '../../../domain/catalog/notify.ts';
import { shopEndpoints } from './terms.ts';

/** They name the members' addresses. */
const shop = shopEndpoints('everything');

const to = z.array(z.string());

export const showNotices = shop({
  id: 'showNotices',
  path: '/api/shop/notices',
  answer: () =>
    z.object({
      sends_mail: z.boolean().describe('false if this service sends no mail, and so no notices'),
      kinds: z.array(z.object({ kind: z.enum(NOTICE_KINDS), time: z.enum(NOTICE_TIMES), to })),
    }),
  tool: { name: 'shop_show_notices', effect: 'reads' },
});

export const testNotices = shop({
  id: 'testNotices',
  method: 'POST',
  path: '/api/shop/notices/test',
  answer: () => z.object({ to: to.describe('the addresses that get the test; none if nobody gets notices') }),
  tool: { name: 'shop_test_notices', effect: 'adds' },
});
