import { describe, expect, test } from 'vitest';
import { listOwnTickets, replyToTicket, showOwnTicket } from '../../../application/support/tickets.ts';
import type { Actor } from '../../../domain/access/actor.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { MAX_ANSWER, MAX_ANSWERS } from '../../../domain/support/ticket.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { erasure } from '../../../runtimes/composition/areas/accounts.ts';
import { signIn } from '../../../runtimes/composition/areas/sign-in.ts';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { aFile, aReport } from '../../support/report-builders.ts';

const OPERATOR: Actor = { kind: 'command', id: 'kim', account_id: null, through: 'reports answer', from: 'shop-1' };
const permit = grantPermit(() => OPERATOR);

/** Counts the queries of the store in memory. */
const countedQueries = () => {
  const engines = memoryEngines();
  const { table } = engines;
  const query = table.query.bind(table);
  const counted = { queries: 0 };
  table.query = (asked) => {
    counted.queries++;
    return query(asked);
  };
  return { engines, counted };
};

const aDesk = async () => {
  const store = await aStore(
    [erasure, keys, support, signIn, { parts: { listOwnTickets, replyToTicket, showOwnTicket } }],
    {
      accounts: [anAccount({ id: 7, email: 'ann@example.com' })],
    },
  );
  const received = { account_id: 7, body: aReport(), files: { bundle: null }, permit: PERMIT };
  const { ticket } = done(await passed(store.get('receiveSupportReport')(received)));
  return {
    ...store,
    id: ticket.id,
    answer: (text: string, { id = ticket.id, close = false } = {}) =>
      store.get('answerTicket')(permit, { id, text, close }),
    own: async (account_id = 7) => (await store.get('listOwnTickets')(account_id)).data,
    shown: (account_id = 7) => store.get('showOwnTicket')(account_id, ticket.id),
  };
};

describe('a reply to a ticket', () => {
  test('the reply’s file is stored for the buyer, and that of a refused reply or to an erased account is not', async () => {
    const { get, id, shown } = await aDesk();
    const file = aFile('a patch');
    const answer = (text: string) => get('answerTicket')(permit, { id, text, close: false, file });
    const kept = { name: file.name, size: file.size, answer: 1 };
    expect(done(await answer('Use this.'))).toMatchObject({ file: kept });
    expect(done(await shown())).toMatchObject({ answers: [{ number: 1 }], files: [kept] });
    expect(await answer(' ')).toMatchObject({ code: 'empty_answer' });
    done(await get('eraseAccount')(permit, { account_id: 7 }));
    expect(done(await answer('Too late.'))).toMatchObject({ file: null });
    expect(await get('tickets').files(id)).toEqual([]);
  });

  test('a reply is stored with its time and author, and the buyer is mailed', async () => {
    const { answer, id, get } = await aDesk();
    const given = { number: 1, answered_at: NOW, by: 'kim', text: 'Install 1.2.' };
    expect(done(await answer('Install 1.2.\n'))).toMatchObject({ answer: given, account_email: 'ann@example.com' });
    expect(done(await get('showReport')(String(id)))).toMatchObject({ answers: [given] });
  });

  test('the buyer sees the replies in order, without their authors', async () => {
    const { answer, own, shown, id, clock } = await aDesk();
    await answer('First');
    clock.at = addDays(NOW, 1);
    await answer('Second', { close: true });
    const { kind, summary, detail } = aReport();
    const listed = { id, kind, status: 'closed', summary, created_at: NOW, answer_count: 2, is_answered: true };
    expect(await own()).toEqual([listed]);
    expect(done(await shown())).toEqual({
      ...listed,
      detail,
      files: [],
      answers: [
        { number: 1, answered_at: NOW, text: 'First' },
        { number: 2, answered_at: addDays(NOW, 1), text: 'Second' },
      ],
      older: null,
    });
    expect(await own(8)).toEqual([]);
    expect(await shown(8)).toMatchObject({ code: 'not_found' });
  });

  test('the buyer’s list loads only the last reply of a ticket that its buyer replied to', async () => {
    const { engines, counted } = countedQueries();
    const { get } = bootstrap(SETTINGS, engines, [
      keys,
      support,
      signIn,
      { parts: { listOwnTickets, replyToTicket, showOwnTicket } },
    ]);
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) {
      const report = aReport({ detail: `problem ${n}` });
      const received = { account_id: 7, body: report, files: { bundle: null }, permit: PERMIT };
      ids.push(done(await passed(get('receiveSupportReport')(received))).ticket.id);
    }
    done(await get('answerTicket')(permit, { id: ids[3] as number, text: 'Yes', close: false }));
    done(await get('replyToTicket')(permit, { account_id: 7, id: ids[3] as number, text: 'Thanks' }));
    done(await get('answerTicket')(permit, { id: ids[0] as number, text: 'No', close: false }));
    counted.queries = 0;
    const { data } = await get('listOwnTickets')(7);
    expect(data.map((one) => one.answer_count)).toEqual([0, 0, 0, 0, 0, 0, 2, 0, 0, 1]);
    expect(data.map((one) => one.is_answered)).toEqual([...Array(9).fill(false), true]);
    expect(counted.queries).toBe(2);
  });

  test('the audit log records replies, closing and reopening without any text', async () => {
    const { answer, get, id } = await aDesk();
    await answer('A secret text', { close: true });
    done(await get('reopenTicket')(permit, { ticket_id: id }));
    done(await get('reopenTicket')(permit, { ticket_id: id }));
    const filter = { since: null, until: null, account_id: 7, product_id: null, by: null, subject: String(id) };
    const told = await Array.fromAsync(get('auditLog').list({ ...filter, action: 'ticket' }));
    expect(told.map(({ action }) => action).sort()).toEqual(['ticket.answered', 'ticket.closed', 'ticket.reopened']);
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  test('two simultaneous replies get distinct numbers', async () => {
    const { answer } = await aDesk();
    const both = await Promise.all([answer('One'), answer('Two')]);
    expect(both.map((one) => done(one).answer.number).sort()).toEqual([1, 2]);
  });

  test('an empty or long text, one reply too many and an unknown ticket are refused', async () => {
    const { answer, id } = await aDesk();
    expect(await answer(' \n')).toMatchObject({ code: 'empty_answer' });
    expect(await answer('x'.repeat(MAX_ANSWER + 1))).toMatchObject({
      code: 'answer_too_long',
      message: 'The answer has 10001 characters; shorten it to 10000.',
    });
    expect(await answer('Hello', { id: id + 1 })).toMatchObject({ code: 'not_found' });
    for (let n = 0; n < MAX_ANSWERS; n++) done(await answer(`Answer ${n}`));
    expect(await answer('One more')).toMatchObject({ code: 'too_many_answers' });
  });

  test('a buyer’s reply joins the thread, reopens a closed ticket and moves it to the top of the operator’s list', async () => {
    const { answer, own, shown, id, get, clock } = await aDesk();
    await answer('Install 1.2.', { close: true });
    clock.at = addDays(NOW, 1);
    const reply = done(await get('replyToTicket')(grantPermit(), { account_id: 7, id, text: 'It still stops.' }));
    expect(reply).toEqual({ number: 2, answered_at: clock.at, by: null, text: 'It still stops.', from: 'buyer' });
    expect(await own()).toMatchObject([{ status: 'open', answer_count: 2, is_answered: false }]);
    expect(done(await shown()).answers).toMatchObject([{ number: 1 }, { number: 2, from: 'buyer' }]);
    expect(done(await get('showReport')(String(id)))).toMatchObject({ answers: [{ by: 'kim' }, { from: 'buyer' }] });
    const input = { kind: 'support', status: 'open', app: null, since: clock.at, limit: 10 } as const;
    expect(await get('listReports')(input)).toMatchObject([{ id: String(id), last_seen: clock.at }]);
  });

  test('a reply to another buyer’s ticket is refused as if the ticket did not exist', async () => {
    const { id, get, own } = await aDesk();
    const reply = await get('replyToTicket')(grantPermit(), { account_id: 8, id, text: 'Mine' });
    expect(reply).toMatchObject({ code: 'not_found' });
    expect(await own()).toMatchObject([{ answer_count: 0 }]);
  });

  test('a buyer sees the newest tickets first', async () => {
    const { own, get } = await aDesk();
    const received = { account_id: 7, body: aReport({ summary: 'Another' }), files: { bundle: null }, permit: PERMIT };
    done(await passed(get('receiveSupportReport')(received)));
    expect((await own()).map(({ summary }) => summary)).toEqual(['Another', aReport().summary]);
  });

  test('a ticket page has the newest replies that fit, and each older one is on an earlier page', async () => {
    const { answer, shown, get, id } = await aDesk();
    for (let n = 1; n <= 30; n++) done(await answer(`${n} `.padEnd(MAX_ANSWER, '"')));
    const pages = [done(await shown())];
    for (let last = pages[0]; last?.older; pages.push(last)) last = done(await get('showOwnTicket')(7, id, last.older));
    expect(pages.map(({ answers }) => answers.length)).toEqual([10, 10, 10]);
    expect(pages.reverse().flatMap((page) => page.answers.map(({ number }) => number))).toEqual(
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
  });

  test('a list of many tickets uses a cursor, and each subject is one plain line', async () => {
    const { get, id } = await aDesk();
    for (let n = 0; n < 25; n++) {
      const report = aReport({ summary: `${n}\u202egnp.exe\nTo: you`, detail: `${n}` });
      done(await passed(get('receiveSupportReport')({ account_id: 7, body: report, files: { bundle: null } })));
    }
    const first = await get('listOwnTickets')(7);
    const second = await get('listOwnTickets')(7, Number(first.next_after));
    expect([first.data.length, second.data.length, second.next_after]).toEqual([20, 6, null]);
    expect(first.data[0]?.summary).toBe('24 gnp.exe To: you');
    expect(second.data.at(-1)?.id).toBe(id);
  });
});
