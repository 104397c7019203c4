import { expect, test } from 'vitest';
import { support } from '../../../runtimes/composition/areas/support.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { aReport } from '../../support/report-builders.ts';

const aDesk = async () => {
  const service = bootstrap(SETTINGS, memoryEngines(), [support], { clock: aClock() });
  const received = { account_id: 7, body: aReport(), files: { bundle: null }, permit: PERMIT };
  const { ticket } = done(await passed(service.get('receiveSupportReport')(received)));
  return {
    id: ticket.id,
    close: async (id: number) => service.get('closeTicket')(await PERMIT, { ticket_id: id }),
    reopen: async (id: number) => service.get('reopenTicket')(await PERMIT, { ticket_id: id }),
    shown: () => service.get('showReport')(String(ticket.id)),
  };
};

test('a closed ticket keeps its reports', async () => {
  const { id, close, shown } = await aDesk();
  expect(await close(id)).toMatchObject({ ok: true, value: { ...aReport(), id, status: 'closed' } });
  expect(await shown()).toMatchObject({ value: { ticket: { status: 'closed' }, count: 1 } });
});

test('a closed ticket can be closed again', async () => {
  const { id, close } = await aDesk();
  await close(id);
  expect(await close(id)).toMatchObject({ ok: true, value: { status: 'closed' } });
});

test('closing an unknown ticket is refused and closes no other', async () => {
  const { id, close, shown } = await aDesk();
  expect(await close(id + 1)).toMatchObject({ ok: false, code: 'not_found' });
  expect(await shown()).toMatchObject({ value: { ticket: { status: 'open' } } });
});

test('a closed ticket can be reopened, and an open or unknown one is refused', async () => {
  const { id, close, reopen } = await aDesk();
  expect(await reopen(id)).toMatchObject({ ok: true, value: { status: 'open', result: 'unchanged' } });
  await close(id);
  expect(await reopen(id)).toMatchObject({ ok: true, value: { status: 'open', result: 'reopened' } });
  expect(await reopen(id + 1)).toMatchObject({ code: 'not_found', message: `There is no ticket ${id + 1}.` });
});
