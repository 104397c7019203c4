import { join } from 'node:path';
import { ChildServer } from '../child.ts';
import { closedLoop } from '../load.ts';
import { atMost, part } from '../part.ts';
import { onSqlite } from '../service.ts';
import { median } from '../statistics.ts';

const MOST_MS = 200;
const ROUNDS = 15;

/** The pages of the console, by what the owner looks at. */
const PAGES = {
  'the day': '/',
  orders: '/orders',
  'orders with a rare status': '/orders?status=withdrawn',
  'sales of a year': '/sales?days=365',
  'a search': '/search?q=buyer-77',
} as const;

type Page = keyof typeof PAGES;
const names = Object.keys(PAGES) as Page[];
const ratioOf = (page: Page) => `console on 100,000 orders, ${page}: median ms, of ${MOST_MS}` as const;
const each = <T>(of: (page: Page) => T) => names.map((page) => [ratioOf(page), of(page)] as const);
type Ratios<T> = Readonly<Record<ReturnType<typeof ratioOf>, T>>;

export const CONSOLE = part({
  title: 'The console on 100,000 orders',
  ratios: Object.fromEntries(each(() => atMost(1))) as Ratios<ReturnType<typeof atMost>>,
  figures: [],
  measure: async (folder) => {
    const server = await ChildServer.start<{ session: string }>(
      './servers/console-server.ts',
      onSqlite(join(folder, 'data')),
    );
    const headers = { Accept: 'text/html', Cookie: `console-session=${server.more.session}` };
    const ratios: [string, number][] = [];
    for (const page of names) {
      const shot = () => ({ method: 'GET', path: PAGES[page], headers });
      await closedLoop(server.port, 3, shot, 1);
      const { millis } = await closedLoop(server.port, ROUNDS, shot, 1);
      ratios.push([ratioOf(page), median([...millis]) / MOST_MS]);
    }
    server.stop();
    return { ratios: Object.fromEntries(ratios) as Ratios<number>, figures: {} };
  },
});
