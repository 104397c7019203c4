import { inGroup } from '../documented.ts';

export const shopNoticesTexts = inGroup('Shop', {
  showNotices: {
    summary: 'Show who is told of sales, tickets and problems',
    description:
      'Each kind with its time and its addresses. `notify` of the storefront changes them; without it each member gets the kinds of its role.',
    tool: { description: 'Mails to the people who run the shop. Change them by "notify" of the storefront.' },
  },
  testNotices: {
    summary: 'Send a test notice',
    description: 'Mails a test to every address that gets notices.',
    tool: { description: 'Mails a test to every address that gets notices of the shop.' },
  },
});
