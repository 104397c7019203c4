import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { APPS } from '../../../domain/design/collect/run.ts';
import { type Running, start } from '../../../runtimes/express/start.ts';
import { FREE_PORTS } from '../../support/free-ports.ts';
import { anAgent } from '../../surface/agents.ts';
import { startCollector } from './support/run-collector.ts';

const QUIET = { ...FREE_PORTS, LOG_LEVEL: 'silent' };
/** The tests read many pages per minute. */
const NO_LIMIT = { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000', RATE_LIMIT_AGENT_PER_MINUTE: '10000' };
const DEMO = { ACCOUNT_EMAIL: 'demo@example.com', ACCOUNT_PASSWORD: 'demo-password' };
const SLOW = 240_000;

/** The pages of the account host, in the order of the flows' steps. */
const PAGES = ['sign-in', 'security', 'password'];
/** Pages that are also collected in dark mode. */
const DARK = ['sign-in'];

type Screen = { id: number; kind: string; title: string; step: number };
type AppView = { screens: number; flows: { slug: string; name: string; total: number; screens: Screen[] }[] };

/** A service with the sample store on its own data folder, as `npm start` runs it. */
const openService = async (env: Record<string, string> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'collector-'));
  const running = await start({ DATA_DIR: folder, ...QUIET, ...NO_LIMIT, ...env });
  const close = async (): Promise<void> => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...running, close };
};

/** Starts the collector on a service, with the token of an agent. */
const collecting = ({ urls }: Pick<Running, 'urls'>, token: string, ...more: string[]) =>
  startCollector(['--design', urls.design, '--account', urls.account, '--json', ...more], {
    DESIGN_TOKEN: token,
    ...DEMO,
  });

const read = async (url: string, token?: string): Promise<unknown> => {
  const response = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  expect([url, response.status]).toEqual([url, 200]);
  return response.json();
};

describe('a gallery filled by the collector', () => {
  let service: Awaited<ReturnType<typeof openService>>;
  let token: string;
  let run_id: number;

  const gallery = (path: string) => read(`${service.urls.design}/api/v1${path}`);
  const accounts = async () => ((await gallery(`/apps/${APPS.indexOf('accounts') + 1}`)) as { data: AppView }).data;
  const totalOf = async (query: string) =>
    ((await gallery(`/screens?app=accounts&${query}`)) as { meta: { total: number } }).meta.total;
  const collect = async (...more: string[]) => {
    const { code, out, said } = await collecting(service, token, '--pages', PAGES.join(), ...more).ended;
    expect([code, said]).toEqual([0, '']);
    return JSON.parse(out);
  };

  /** All data of the gallery: all pages of the list, each screen, the app, and the terms. */
  const whole = async (): Promise<Record<string, unknown>> => {
    const answers: Record<string, unknown> = {};
    for (const path of ['/patterns', '/taxonomy', `/apps/${APPS.indexOf('accounts') + 1}`]) {
      answers[path] = await gallery(path);
    }
    for (let page = 1, last = 1; page <= last; page++) {
      const path = `/screens?page=${page}`;
      const list = (await gallery(path)) as { data: Screen[]; meta: { last_page: number } };
      answers[path] = list;
      last = list.meta.last_page;
      for (const { id } of list.data) answers[`/screens/${id}`] = await gallery(`/screens/${id}`);
    }
    return answers;
  };

  beforeAll(async () => {
    service = await openService();
    token = (await anAgent(service.service, 'collect')).key;
    const collected = await collect();
    run_id = collected.run.id;
    expect(collected.complaints).toEqual([]);
    expect(collected.run).toMatchObject({ state: 'replayed', problems: [] });
    expect(collected.run.replay).toMatchObject({ screens_added: 4 * (PAGES.length + DARK.length), problems: 0 });
  }, SLOW);
  afterAll(() => service.close());

  test('every page is a screen on desktop and phone, in Korean and English', async () => {
    for (const viewport of ['desktop', 'mobile']) {
      for (const lang of ['ko', 'en']) {
        const looks = `viewport=${viewport}&lang=${lang}`;
        expect([looks, await totalOf(`${looks}&mode=light`)]).toEqual([looks, PAGES.length]);
        expect([looks, await totalOf(`${looks}&mode=dark`)]).toEqual([looks, DARK.length]);
      }
    }
  });

  test('the screens of a flow are in the order of its steps', async () => {
    const { flows, screens } = await accounts();
    expect(screens).toBe(4 * (PAGES.length + DARK.length));
    expect(flows.map(({ name }) => name).toSorted()).toEqual(['Security', 'Sign in']);
    for (const { screens: shown } of flows) {
      const steps = shown.map(({ step }) => step);
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    }
  });

  test('a screen is found by a word of its text, in each language', async () => {
    expect(await totalOf('lang=en&q=password')).toBeGreaterThan(0);
    expect(await totalOf(`lang=ko&q=${encodeURIComponent('비밀번호')}`)).toBeGreaterThan(0);
    expect(await totalOf('q=nowhere-to-be-found')).toBe(0);
  });

  test('the saved page of a screen has its style and no script', async () => {
    const { data } = (await gallery('/screens?app=accounts&lang=en')) as { data: Screen[] };
    const { data: screen } = (await gallery(`/screens/${data[0]?.id}`)) as { data: { page: { url: string } } };
    const html = await (await fetch(screen.page.url)).text();
    expect(html).toMatch(/\/media\/[0-9a-f]{64}\.css/);
    expect(html).not.toContain('<script');
  });

  test('the pages of the gallery show the screens', async () => {
    const html = await (await fetch(`${service.urls.design}/?hl=en`)).text();
    expect(html).toMatch(/\/media\/[0-9a-f]{64}\.jpg/);
  });

  test('the screens have the page types that the collector reports', async () => {
    const kinds = (await accounts()).flows.flatMap(({ screens }) =>
      screens.map(({ title, kind }) => `${title}: ${kind}`),
    );
    expect([...new Set(kinds)].filter((kind) => /^[a-z ]+:/i.test(kind)).toSorted()).toEqual([
      'Change password: form',
      'Security: settings',
      'Sign in: sign-in',
    ]);
  });

  test(
    'replaying the run again changes nothing in the gallery',
    async () => {
      const before = await whole();
      const queued = await service.service.get('requeueRun')(grantPermit(), run_id);
      expect(queued.ok).toBe(true);
      await expect
        .poll(() => read(`${service.urls.design}/api/agent/collect/runs/${run_id}`, token), { timeout: SLOW })
        .toMatchObject({ run: { state: 'replayed', replay: { screens_added: 0, screens_changed: 0, problems: 0 } } });
      expect(await whole()).toEqual(before);
    },
    SLOW,
  );

  test(
    'a second collection adds no screen',
    async () => {
      const { run } = await collect('--viewports', 'mobile', '--langs', 'en');
      expect(run.replay).toMatchObject({ screens_added: 0, problems: 0 });
      expect(await accounts()).toMatchObject({ screens: 4 * (PAGES.length + DARK.length) });
    },
    SLOW,
  );
});

describe('a collector that is killed', () => {
  test(
    'a killed collector holds the lock until its lease ends, and the next one continues',
    async () => {
      const service = await openService({ COLLECT_LEASE_SECONDS: '20' });
      try {
        const [night, day] = [
          await anAgent(service.service, 'collect', 'night shift'),
          await anAgent(service.service, 'collect', 'day shift'),
        ];
        const pages = ['--pages', 'sign-in', '--viewports', 'mobile'];
        const killed = collecting(service, night.key, '--pages', PAGES.join());
        const runs = service.service.get('collectRuns');
        const uploaded = async () => (await runs.newest(1))[0]?.uploads.captures ?? 0;
        await expect.poll(uploaded, { timeout: SLOW }).toBeGreaterThan(0);
        killed.child.kill('SIGKILL');
        await killed.ended;
        const [held] = await runs.newest(1);
        const url = `${service.urls.design}/api/agent/collect/runs/${held?.run.id}`;
        expect(await read(url, night.key)).toMatchObject({ run: { state: 'collecting' } });

        const refused = await collecting(service, day.key, ...pages).ended;
        expect([refused.code, refused.said]).toEqual([3, expect.stringContaining('of night shift is open, until ')]);

        const waited = await collecting(service, day.key, ...pages, '--wait', '90').ended;
        expect([waited.code, waited.said]).toEqual([0, '']);
        expect(await read(url, night.key)).toMatchObject({ run: { state: 'expired' } });
      } finally {
        await service.close();
      }
    },
    SLOW,
  );
});
