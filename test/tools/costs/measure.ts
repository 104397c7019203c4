import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import { TOOL } from '../../surface/shop.ts';
import { ask } from './ask.ts';
import { CASES, type Case, prepare } from './cases.ts';
import type { Metered } from './meter.ts';
import { type MeteredShop, openMeteredShop } from './open.ts';

export type Cost = Pick<Case, 'id' | 'when'> &
  Metered & {
    /** The size of the answer in bytes of JSON; 0 for a file. */
    readonly answerBytes: number;
  };

/** Measures one request of a case. */
const costOf = async ({ service, meter, another }: MeteredShop, one: Case): Promise<Cost> => {
  const { key, product = TOOL } = await prepare(service, one);
  const input = { endpoint: ENDPOINTS[one.id], product, ...one.ask, key };
  if (one.repeated) await ask(service, input);
  const asked = one.cold ? another() : service;
  let answerBytes = 0;
  const metered = await meter.measure(async () => {
    answerBytes = await ask(asked, input);
  });
  return { id: one.id, ...(one.when !== undefined && { when: one.when }), ...metered, answerBytes };
};

/** Measures the usual request of each endpoint and the additional cases, on a new table. */
export const measureCosts = async (): Promise<Cost[]> => {
  const shop = await openMeteredShop();
  try {
    const costs: Cost[] = [];
    for (const one of CASES) costs.push(await costOf(shop, one));
    return costs;
  } finally {
    await shop.close();
  }
};
