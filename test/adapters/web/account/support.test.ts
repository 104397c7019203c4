import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FORMS_AT_ONCE } from '../../../../adapters/host/spool.ts';
import { supportKeys } from '../../../../adapters/store/keys/support.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { FILE_BYTES_A_DAY, MAX_ATTACHMENT, newTicket, ticketNumber } from '../../../../domain/support/ticket.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { anEntitlement, aProduct, NOW } from '../../../support/builders.ts';
import { done } from '../../../support/outcomes.ts';
import { hiddenFields, type PageBrowser } from '../../../support/page-browser.ts';
import { PERMIT, passed } from '../../../support/permits.ts';
import { aReport } from '../../../support/report-builders.ts';

describe('the page of tickets', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({
      accounts: [anAccount({ id: 2 })],
      products: [1, 2].map((id) =>
        aProduct({ id, name: { en: 'Clock' }, bundle_id: id === 1 ? 'com.example.clock' : null }),
      ),
      entitlements: [anEntitlement({ product_id: 1 })],
    });
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  const report = async (account_id: number, summary: string): Promise<number> => {
    const received = { account_id, body: aReport({ summary }), files: { bundle: null }, permit: PERMIT };
    return done(await passed(service.get('receiveSupportReport')(received))).ticket.id;
  };

  /** The page of the account's newest ticket. */
  const newest = async (): Promise<string> => `/support/${(await service.get('tickets').ofAccount(1, 1))[0]?.id}`;

  test('an account without tickets is told how tickets arise', async () => {
    const { status, body } = await browser.get('/support');
    expect([status, body]).toEqual([200, expect.stringContaining('No tickets yet')]);
  });

  test('the page shows the account’s own tickets with states and replies, without operator names', async () => {
    const permit = grantPermit(() => ({ kind: 'command', id: 'kim', account_id: null, through: null, from: null }));
    const id = await report(1, 'The clock stops');
    await report(2, 'Another buyer’s problem');
    expect((await browser.get('/support')).body).toContain('The shop has not answered yet.');
    await service.get('answerTicket')(permit, { id, text: 'Install 1.2.\n<b>Soon</b>', close: true });
    const list = await browser.get('/support');
    expect(list.body).toContain(`<h2><a href="/support/${id}">The clock stops</a></h2>`);
    expect(list.body).not.toMatch(/Install 1\.2|Another buyer/);
    const { body } = await browser.get(`/support/${id}`);
    expect(body).toContain('<h1>The clock stops</h1>');
    expect(body).toMatch(
      /<div class="note"><h2>The shop’s answer, .*<p class="answer">Install 1\.2\.\n&lt;b&gt;Soon&lt;\/b&gt;<\/p><\/div>/,
    );
    expect(body).toContain('Closed');
    expect(body).not.toContain('Another buyer');
    expect(body).not.toContain('kim');
  });

  test('an open ticket is shown as answered until its buyer replies', async () => {
    const id = await report(1, 'The clock stops');
    await service.get('answerTicket')(grantPermit(), { id, text: 'Install 1.2.', close: false });
    expect((await browser.get('/support')).body).toContain('<span class="badge good">Answered</span>');
    await browser.submit(`/support/${id}`, '/support/reply', { text: 'It still stops.' });
    expect((await browser.get('/support')).body).toContain('<span class="badge good">Open</span>');
  });

  test('the form comes first if no ticket is open, and after the list otherwise', async () => {
    const isFirst = async () => {
      const { body } = await browser.get('/support');
      return body.indexOf('id="write"') < body.indexOf('<ul class="cards">');
    };
    const id = await report(1, 'The clock stops');
    expect(await isFirst()).toBe(false);
    await service.get('closeTicket')(grantPermit(), { ticket_id: id });
    expect(await isFirst()).toBe(true);
  });

  test('a ticket has a short number on its page and in the list, also for older tickets, and the shop finds it by that', async () => {
    const id = await report(1, 'The clock stops');
    const number = ticketNumber({ id });
    for (const path of ['/support', `/support/${id}`]) expect((await browser.get(path)).body).toContain(number);
    expect(await service.get('showReport')(number.toLowerCase())).toMatchObject({ value: { number, ticket: { id } } });
    expect(await service.get('showReport')('222-222')).toMatchObject({ ok: false, code: 'not_found' });
    // A ticket of an earlier version has no stored number, and may have no subject.
    const old = newTicket(aReport({ summary: '' }), { id: 7, account_id: 1 }, NOW);
    await service.get('tickets').open(grantPermit(), old, 'old', { opening: undefined, version: null }, undefined);
    await service.get('table').remove(supportKeys.ticketNumbered(ticketNumber(old)));
    expect((await browser.get('/support/7')).body).toContain(`<h1>Ticket ${ticketNumber(old)}</h1>`);
    expect(await service.get('showReport')(ticketNumber(old))).toMatchObject({ value: { ticket: { id: 7 } } });
  });

  test('the owner writes a ticket and sees its text, and the shop receives it', async () => {
    const fields = { kind: 'refund_request', summary: 'Bought twice', detail: 'Please refund <b>one</b>.\r\nThanks' };
    const sent = await browser.submit('/support', '/support', fields);
    expect(sent.location).toBe(`${await newest()}?done=sent`);
    expect((await browser.get(sent.location ?? '')).body).toContain('Your message was sent.');
    expect((await browser.get('/support')).body).toContain('>Bought twice</a></h2>');
    expect((await browser.get(await newest())).body).toContain(
      '<p class="answer">Please refund &lt;b&gt;one&lt;/b&gt;.\nThanks</p>',
    );
    const [ticket] = await service.get('tickets').ofAccount(1, 1);
    expect(ticket).toMatchObject({ kind: 'refund_request', summary: 'Bought twice', account_id: 1, status: 'open' });
  });

  test('the owner’s reply reopens a closed ticket, and the thread stays in order', async () => {
    const id = await report(1, 'The clock stops');
    await service.get('answerTicket')(grantPermit(), { id, text: 'Install 1.2.', close: true });
    const hidden = hiddenFields((await browser.get(`/support/${id}`)).body, '/support/reply');
    const sent = await browser.post('/support/reply', { ...hidden, text: 'It <i>still</i> stops.' });
    expect(sent.location).toBe(`/support/${id}?done=replied`);
    const { body } = await browser.get(sent.location ?? '');
    expect(body).toMatch(/Your message was added\..*Install 1\.2\..*It &lt;i&gt;still&lt;\/i&gt; stops\./s);
    expect((await service.get('tickets').get(id))?.status).toBe('open');
    const foreign = await report(2, 'Another buyer’s problem');
    const refused = await browser.post('/support/reply', { ...hidden, ticket: String(foreign), text: 'Mine' });
    expect(refused.location).toBe('/support?done=gone');
    expect(await service.get('tickets').answers(foreign)).toEqual([]);
  });

  describe('the files of a ticket', () => {
    const LOG = Buffer.from('<script>alert(1)</script>');
    const forms = async (action: string) =>
      hiddenFields((await browser.get(action === '/support' ? action : await newest())).body, action);
    const ticket = { summary: 'It stops', detail: 'After a minute.' };
    const large = Buffer.alloc(MAX_ATTACHMENT + 1);

    /** The name, the type and the bytes of a linked file. */
    const read = async (path: string) => {
      const { pathname, searchParams } = new URL((await browser.get(path)).location ?? '');
      const [, , ...key] = pathname.split('/');
      const name = decodeURIComponent(key.pop() ?? '');
      const opened = await service.get('objects').open(key.join('/'));
      return [name, searchParams.get('type'), opened && (await text(opened.stream))];
    };
    const linksIn = (body: string): string[] =>
      Array.from(body.matchAll(/href="(\/support\/file[^"]*)"/g), ([, href = '']) => href.replaceAll('&amp;', '&'));

    test('files of a ticket and of a reply are listed on the page and downloaded as attachments', async () => {
      const sent = await browser.attach('/support', { ...(await forms('/support')), ...ticket }, 'log<1>.html', LOG);
      expect(sent.location).toBe(`${await newest()}?done=sent`);
      const fields = { ...(await forms('/support/reply')), text: 'The screen.' };
      const replied = await browser.attach('/support/reply', fields, 'screen.png', Buffer.from('png'));
      expect(replied.location).toBe(`${await newest()}?done=replied`);
      const { body } = await browser.get(await newest());
      expect(body).toMatch(/After a minute\..*>log&lt;1&gt;\.html<\/a> 25 byte.*The screen\..*>screen\.png<\/a>/s);
      const [first = '', second = ''] = linksIn(body);
      expect(await read(first)).toEqual(['log<1>.html', 'application/octet-stream', LOG.toString()]);
      expect(await read(second)).toEqual(['screen.png', 'application/octet-stream', 'png']);
      await expect.poll(() => server.spool.formsOpen).toBe(0);
    });

    test('a file name with text-direction characters is shown plainly, on the page and in downloads', async () => {
      await browser.attach('/support', { ...(await forms('/support')), ...ticket }, 'a\u202egnp.exe', LOG);
      const { body } = await browser.get(await newest());
      expect(body).toContain('>a gnp.exe</a>');
      expect((await read(linksIn(body)[0] ?? ''))[0]).toBe('a gnp.exe');
    });

    test('a form without a selected file is sent without one', async () => {
      await browser.attach('/support', { ...(await forms('/support')), ...ticket }, '', Buffer.alloc(0));
      expect(linksIn((await browser.get(await newest())).body)).toEqual([]);
    });

    test('a file of another account’s ticket and an unknown file are not found', async () => {
      const file = {
        name: 'a.log',
        type: 'text/plain',
        size: 3,
        sha256: hash('sha256', 'abc', 'hex'),
        open: () => Readable.from(Buffer.from('abc')),
      };
      const received = { account_id: 2, body: aReport(), files: { bundle: file }, permit: PERMIT };
      const foreign = done(await passed(service.get('receiveSupportReport')(received))).ticket.id;
      const own = await report(1, 'Mine');
      for (const query of [`ticket=${foreign}&number=1`, `ticket=${own}&number=1`, 'ticket=x', '']) {
        expect((await browser.get(`/support/file?${query}`)).status, query).toBe(404);
      }
    });

    test('an oversized file is reported beside its field, and the text stays in the form', async () => {
      const fields = { ...(await forms('/support')), ...ticket };
      const again = await browser.attach('/support', fields, 'large.zip', large);
      expect([again.status, again.body]).toEqual([413, expect.stringContaining('it may have at most 4 MB')]);
      expect(again.body).toContain('>After a minute.</textarea>');
      expect(await service.get('tickets').ofAccount(1, 1)).toEqual([]);
      await browser.post('/support', fields);
      const reply = { ...(await forms('/support/reply')), text: 'Here it is.' };
      const refused = await browser.attach('/support/reply', reply, 'large.zip', large);
      expect([refused.status, refused.body]).toEqual([413, expect.stringContaining('>Here it is.</textarea>')]);
    });

    test('a form far above the limit is refused unread with the limit', async () => {
      const fields = { ...(await forms('/support')), ...ticket };
      const { status, body } = await browser.attach('/support', fields, 'huge.zip', Buffer.alloc(21 * 1024 * 1024));
      expect([status, body]).toEqual([413, expect.stringContaining('choose a file of at most 4 MB')]);
    });

    test('a form with a file and another session’s token sends nothing and leaves no file', async () => {
      const fields = { ...(await forms('/support')), ...ticket, csrf: 'x' };
      expect((await browser.attach('/support', fields, 'a.log', LOG)).location).toBe('/support?kept=1');
      expect(await service.get('tickets').ofAccount(1, 1)).toEqual([]);
      await expect.poll(() => server.spool.formsOpen).toBe(0);
    });

    test('a form with a file is refused temporarily while too many others are being received', async () => {
      const fields = { ...(await forms('/support')), ...ticket };
      const taken = Array.from({ length: FORMS_AT_ONCE }, (_, n) => server.spool.take(String(n)));
      const refused = await browser.attach('/support', fields, 'a.log', LOG);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      await taken[0]?.remove();
      expect((await browser.attach('/support', fields, 'a.log', LOG)).location).toMatch(/^\/support\/\d+\?done=sent$/);
    });

    test('other account forms accept no file', async () => {
      const { csrf = '' } = await forms('/support');
      expect((await browser.attach('/security/end-others', { csrf }, 'a.log', LOG)).status).toBe(403);
    });

    test('a message of an account above its daily file limit is stored without its file, and says so', async () => {
      await service.get('tickets').countFileBytes(grantPermit(), 1, FILE_BYTES_A_DAY, service.get('clock').now());
      const sent = await browser.attach('/support', { ...(await forms('/support')), ...ticket }, 'a.log', LOG);
      expect(sent.location).toBe(`${await newest()}?done=withoutFile`);
      const fields = { ...(await forms('/support/reply')), text: 'Again.' };
      const replied = await browser.attach('/support/reply', fields, 'a.log', LOG);
      expect(replied.location).toBe(`${await newest()}?done=withoutFile`);
      for (const { location } of [sent, replied]) {
        expect((await browser.get(location ?? '')).body).toContain('sent without its file');
      }
    });
  });

  test('a reply without a text is refused', async () => {
    const id = await report(1, 'The clock stops');
    const hidden = hiddenFields((await browser.get(`/support/${id}`)).body, '/support/reply');
    const refused = await browser.post('/support/reply', { ...hidden, text: ' ' });
    expect(refused.location).toBe(`/support/${id}?done=replyEmpty`);
    expect(await service.get('tickets').answers(id)).toEqual([]);
  });

  test('a ticket can name only a product that the buyer owns', async () => {
    const fields = { summary: 'It stops', detail: 'After a minute.', product: '1' };
    await browser.submit('/support', '/support', fields);
    await browser.submit('/support', '/support', { ...fields, summary: 'Another', product: '2' });
    const [other, owned] = await service.get('tickets').ofAccount(1, 2);
    expect(owned).toMatchObject({ product_id: 1, app_bundle_id: 'com.example.clock' });
    expect(other).not.toHaveProperty('product_id');
    expect((await browser.get('/support')).body).toContain(' · Question · Clock · <time');
  });

  test('a question about an order begins with its number and names its product if the buyer owns it', async () => {
    const { body } = await browser.get('/support?order=A-1&product=1');
    expect(body).toContain('value="Order A-1: "');
    expect(body).toContain('<option value="1" selected>');
    expect((await browser.get('/support?product=2')).body).toContain('<option value="" selected>');
  });

  test('a message without a text is not sent and keeps its subject', async () => {
    const again = await browser.submit('/support', '/support', { summary: 'Bought twice', detail: '  ' });
    expect(again.status).toBe(422);
    expect(again.body).toContain('Write what you need');
    expect(again.body).toContain('value="Bought twice"');
    expect(await service.get('tickets').ofAccount(1, 1)).toEqual([]);
  });

  test('the ticket page is available in Korean', async () => {
    await report(1, 'The clock stops');
    const { body } = await browser.get('/support?lang=ko');
    expect(body).toContain('아직 답변이 없습니다.');
  });

  test('another account’s ticket and an unknown one are not found', async () => {
    const foreign = await report(2, 'Another buyer’s problem');
    for (const id of [foreign, 1, 'x']) expect((await browser.get(`/support/${id}`)).status, String(id)).toBe(404);
  });

  test('a ticket full of quotation marks has pages of at most 1 MB, and the list omits its text', async () => {
    const id = await report(1, 'Quotes');
    const texts = Array.from({ length: 30 }, () => '"'.repeat(10_000));
    for (const text of texts) done(await service.get('answerTicket')(grantPermit(), { id, text, close: false }));
    const page = await browser.get(`/support/${id}`);
    expect(Buffer.byteLength(page.body)).toBeLessThan(1_000_000);
    const [, older = ''] = /href="(\/support\/\d+\?before=\d+)">Older messages/.exec(page.body) ?? [];
    expect((await browser.get(older)).body).toContain(`<a href="/support/${id}">Newest messages</a>`);
    expect(Buffer.byteLength((await browser.get('/support')).body)).toBeLessThan(50_000);
  });

  test('a signed-out browser signs in first and returns', async () => {
    await browser.submit('/support', '/sign-out', {});
    const answer = await browser.get('/support');
    expect(answer.location).toBe('/sign-in?next=%2Fsupport');
  });
});
