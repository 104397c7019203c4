import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import { TOOL } from '../../surface/shop.ts';
import { ask } from './ask.ts';
import { CASES, prepare } from './cases.ts';
import { fillTable } from './fill-table.ts';
import type { Cost } from './measure.ts';
import { openMeteredShop } from './open.ts';

/** The cost of the requests that must not depend on the size of the table. */
export type Growth = {
  readonly items: number;
  /** The time to fill the table. */
  readonly seconds: number;
  readonly costs: readonly Omit<Cost, 'operations' | 'answerBytes'>[];
};

const GROWING = ['checkLicense', 'getLibrary', 'planInstall'];

/** Measures the requests on a new table with `items` items in addition to the shop. */
export const measureGrowth = async (items: number): Promise<Growth> => {
  const { service, meter, tableName, close } = await openMeteredShop();
  try {
    const cases = CASES.filter(({ id, when }) => when === undefined && GROWING.includes(id));
    const ready = await Promise.all(cases.map(async (one) => ({ one, ...(await prepare(service, one)) })));
    const began = Date.now();
    await fillTable(
      tableName,
      items,
      ready.map(({ account }) => account),
    );
    const seconds = Math.round((Date.now() - began) / 1000);
    const costs: Omit<Cost, 'operations' | 'answerBytes'>[] = [];
    for (const { one, key } of ready) {
      const input = { endpoint: ENDPOINTS[one.id], product: TOOL, ...one.ask, key };
      await ask(service, input);
      const { operations, ...numbers } = await meter.measure(() => ask(service, input));
      costs.push({ id: one.id, ...numbers });
    }
    return { items, seconds, costs };
  } finally {
    await close();
  }
};
