import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Service } from '../../../../runtimes/composition/service.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { done } from '../../../support/outcomes.ts';
import type { PageBrowser } from '../../../support/page-browser.ts';
import { PERMIT, passed } from '../../../support/permits.ts';
import { aReport } from '../../../support/report-builders.ts';

describe('the page of tickets', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({ accounts: [anAccount({ id: 2 })] });
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  const report = async (accountId: number, summary: string): Promise<number> => {
    const received = { accountId, report: aReport({ summary }), file: null, permit: PERMIT };
    return done(await passed(service.get('receiveSupportReport')(received))).ticket.id;
  };

  test('an account without tickets is told where they come from', async () => {
    const { status, body } = await browser.get('/support');
    expect([status, body]).toEqual([200, expect.stringContaining('No tickets yet')]);
  });

  test('the page shows the account’s own tickets with their states and answers, and no operator’s name', async () => {
    const permit = grantPermit(() => ({ kind: 'command', id: 'kim', account_id: null, through: null, from: null }));
    const id = await report(1, 'The clock stops');
    await report(2, 'Another buyer’s problem');
    expect((await browser.get('/support')).body).toContain('The shop has not answered yet.');
    await service.get('answerTicket')(permit, { id, text: 'Install 1.2.\n<b>Soon</b>', close: true });
    const { body } = await browser.get('/support');
    expect(body).toContain('<h2>The clock stops</h2>');
    expect(body).toContain('<p class="answer">Install 1.2.\n&lt;b&gt;Soon&lt;/b&gt;</p>');
    expect(body).toContain('Closed');
    expect(body).not.toContain('Another buyer');
    expect(body).not.toContain('kim');
  });

  test('the owner writes a ticket, sees the own words, and the shop gets them', async () => {
    const fields = { kind: 'refund_request', summary: 'Bought twice', detail: 'Please refund <b>one</b>.' };
    const sent = await browser.submit('/support', '/support', fields);
    expect(sent.location).toBe('/support?done=sent');
    const { body } = await browser.get('/support?done=sent');
    expect(body).toContain('Your message was sent.');
    expect(body).toContain('<h2>Bought twice</h2>');
    expect(body).toContain('<p class="answer">Please refund &lt;b&gt;one&lt;/b&gt;.</p>');
    const [ticket] = await service.get('tickets').ofAccount(1, 1);
    expect(ticket).toMatchObject({ kind: 'refund_request', summary: 'Bought twice', account_id: 1, status: 'open' });
  });

  test('a message without a text is not sent, and keeps its subject', async () => {
    const again = await browser.submit('/support', '/support', { summary: 'Bought twice', detail: '  ' });
    expect(again.status).toBe(422);
    expect(again.body).toContain('Write what you need');
    expect(again.body).toContain('value="Bought twice"');
    expect(await service.get('tickets').ofAccount(1, 1)).toEqual([]);
  });

  test('the page speaks Korean too', async () => {
    await report(1, 'The clock stops');
    const { body } = await browser.get('/support?lang=ko');
    expect(body).toContain('아직 답변이 없습니다.');
  });

  test('a browser that is signed out signs in first and comes back', async () => {
    await browser.submit('/support', '/sign-out', {});
    const answer = await browser.get('/support');
    expect(answer.location).toBe('/sign-in?next=%2Fsupport');
  });
});
