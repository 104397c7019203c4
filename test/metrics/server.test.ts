import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectKeys } from '../../adapters/store/keys/design/collect.ts';
import { mailKeys } from '../../adapters/store/keys/mail.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { newMessage } from '../../domain/mail/message.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { PortTaken } from '../../runtimes/express/serve.ts';
import { type Running, start } from '../../runtimes/express/start.ts';
import { cli } from '../support/cli.ts';
import { scrape } from '../support/exposition.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import { aBuyer, type Buyer } from '../surface/buyers.ts';
import { openShop, TOOL } from '../surface/shop.ts';
import { alerts, dashboard, dashboardTexts, metricOf, metricsIn } from './expressions.ts';

const ENVIRONMENT = {
  STORE: 'memory',
  OBJECTS: 'memory',
  ...FREE_PORTS,
  LISTEN_ADDRESS: '127.0.0.1',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
};

const REQUESTS = 'account_service_http_requests_total';
const REFUSALS = 'account_service_refusals_total';

describe('the metrics of a server', () => {
  let running: Running;
  let buyer: Buyer;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'account-service-metrics-'));
    const stores = { STORE: 'sqlite', OBJECTS: 'filesystem', DATA_DIR: folder };
    running = await start({ ...ENVIRONMENT, ...stores, METRICS_PORT: '0' });
    await openShop(running.service);
    buyer = await aBuyer(running.service);
  });
  afterAll(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const metrics = () => scrape(running.metricsUrl ?? '');

  const check = (device: string, key = buyer.key): Promise<Response> =>
    fetch(`${running.urls.api}/api/license/check`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ product_id: TOOL, device_id: device }),
    });

  test('license checks are counted with their endpoint, decision, refusal and store calls', async () => {
    const before = await metrics();
    const statuses: number[] = [];
    for (const device of ['one', 'two', 'three', 'four']) statuses.push((await check(device)).status);
    expect(statuses).toEqual([200, 200, 200, 409]);
    const after = await metrics();
    const more = (name: string, labels: Record<string, string> = {}): number =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    const endpoint = 'checkLicense';
    expect(more(REQUESTS, { host: 'api', endpoint, method: 'POST', status: '200' })).toBe(3);
    expect(more(REQUESTS, { host: 'api', endpoint, method: 'POST', status: '409' })).toBe(1);
    expect(more('account_service_decisions_total', { endpoint, code: 'valid' })).toBe(3);
    expect(more(REFUSALS, { endpoint, code: 'device_limit_reached' })).toBe(1);
    expect(more('account_service_http_request_duration_seconds_count', { host: 'api', endpoint })).toBe(4);
    expect(more('account_service_http_request_duration_seconds_sum', { host: 'api', endpoint })).toBeGreaterThan(0);
    for (const operation of ['get', 'increment', 'transact']) {
      expect(more('account_service_store_operation_duration_seconds_count', { operation })).toBeGreaterThan(0);
    }
  });

  test('the buckets of a histogram increase up to its count', async () => {
    await check('one');
    const { series, value } = await metrics();
    const labels = { host: 'api', endpoint: 'checkLicense' };
    const buckets = series.filter(
      (one) =>
        one.name === 'account_service_http_request_duration_seconds_bucket' &&
        one.labels['endpoint'] === labels.endpoint,
    );
    const counts = buckets.map((bucket) => bucket.value);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(buckets.at(-1)?.labels['le']).toBe('+Inf');
    expect(counts.at(-1)).toBe(value('account_service_http_request_duration_seconds_count', labels));
  });

  test('the pages, the reference and the health check of every host are counted under their host', async () => {
    const { api, app, design, account } = running.urls;
    for (const url of [`${api}/docs`, `${app}/healthz`, `${design}/`, `${account}/sign-in`]) {
      expect((await fetch(url)).status).toBe(200);
    }
    for (const host of ['api', 'app', 'design', 'account']) {
      await expect
        .poll(async () => (await metrics()).value(REQUESTS, { host, endpoint: 'none', method: 'GET', status: '200' }))
        .toBeGreaterThan(0);
    }
  });

  test('a flood of unknown paths, methods, products and keys adds no series', async () => {
    const { api } = running.urls;
    const flood = (n: number) =>
      Promise.all([
        fetch(`${api}/unknown/${n}`),
        fetch(`${api}/api/library?n=${n}`, { method: `X${n}` }),
        fetch(`${api}/api/products/${900 + n}`, { headers: { Authorization: `Bearer ${buyer.key}` } }),
        check('one', `svc_${n}`),
      ]);
    await flood(0);
    const namesOf = async (): Promise<string[]> => {
      const { series } = await metrics();
      return series
        .filter(({ name }) => name.startsWith('account_service_'))
        .map(({ name, labels }) => JSON.stringify([name, labels]));
    };
    const before = await namesOf();
    for (let n = 1; n <= 25; n++) await flood(n);
    expect(await namesOf()).toEqual(before);
    expect((await metrics()).value(REFUSALS, { endpoint: 'none', code: 'not_found' })).toBeGreaterThan(25);
  });

  test('the metrics contain no key, address, account or path of a request', async () => {
    await fetch(`${running.urls.api}/a-private-path?secret=1`, { headers: { Authorization: `Bearer ${buyer.key}` } });
    const { text } = await metrics();
    for (const secret of [buyer.key, buyer.key.slice(0, 10), '@', 'a-private-path', '127.0.0.1']) {
      expect(text).not.toContain(secret);
    }
  });

  test('the process state is included: build, connections, bodies, jobs, log and Node', async () => {
    const { value, series } = await metrics();
    expect(value('account_service_build_info', { store: 'sqlite', objects: 'filesystem', node: process.version })).toBe(
      1,
    );
    expect(series.find(({ name }) => name === 'account_service_build_info')?.labels['version']).toMatch(
      /^\d+\.\d+\.\d+/,
    );
    for (const zero of [
      'connections_refused_total',
      'large_body_bytes',
      'forms',
      'jobs_waiting',
      'log_lines_lost_total',
    ]) {
      expect([zero, value(`account_service_${zero}`)]).toEqual([zero, 0]);
    }
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(value(name)).toBeGreaterThan(0);
    }
  });

  test('one client can’t use all connections to the metrics address', async () => {
    const { hostname: host, port } = new URL(running.metricsUrl ?? '');
    const held = Array.from({ length: 16 }, () =>
      connect({ host, port: Number(port), localAddress: '127.0.0.2' }).on('error', () => {}),
    );
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    expect((await fetch(running.metricsUrl ?? '')).status).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('open connections are counted while they are open', async () => {
    const { hostname, port } = new URL(running.urls.app);
    const held = Array.from({ length: 3 }, () => connect(Number(port), hostname));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    await expect.poll(async () => (await metrics()).value('account_service_connections')).toBeGreaterThanOrEqual(3);
    for (const socket of held) socket.destroy();
  });

  test('a job is counted while it waits, and its run once it is done', async () => {
    const jobs = running.service.get('jobs');
    const [now, later] = [toInstant(Date.now()), toInstant(Date.now() + 3_600_000)];
    // It is waiting for a retry, so no worker takes it yet. A missing run has nothing to replay.
    const job = {
      id: 1,
      kind: 'replay',
      subject: 1,
      agent_id: 1,
      queued_at: now,
      attempts: 1,
      free_at: later,
    } as const;
    await jobs.add(grantPermit(), job);
    expect((await metrics()).value('account_service_jobs_waiting')).toBe(1);
    const version = (await running.service.get('table').get(collectKeys.job(1)))?.version ?? '';
    expect(await jobs.release(grantPermit(), { job, version }, now)).toBe(true);
    await expect
      .poll(async () => (await metrics()).value('account_service_job_turns_total', { result: 'done' }))
      .toBe(1);
    expect((await metrics()).value('account_service_jobs_waiting')).toBe(0);
  });

  test('a refused event is counted until it is settled', async () => {
    const events = running.service.get('paymentEvents');
    const event = { provider: 'shop', id: 'evt_1', type: 'order', account_id: null, body: '{}', reason: null };
    const save = (state: 'refused' | 'ignored') =>
      events.save(grantPermit(), { ...event, state, received_at: toInstant(Date.now()) });
    const counted = async () => (await metrics()).value('account_service_sale_events', { state: 'refused' });
    await save('refused');
    expect(await counted()).toBe(1);
    await save('ignored');
    expect(await counted()).toBe(0);
  });

  test('failed mail is counted for a day, and delayed mail while it waits', async () => {
    const table: TypedTable = running.service.get('table');
    const hour = (hours: number) => toInstant(Date.now() + hours * 3_600_000);
    const about = { kind: 'order', account_id: 1, subject_id: '5', product_id: null } as const;
    const aMessage = (id: number, due: number, fault: string | null) => ({
      ...newMessage(id, about, hour(-30)),
      due_at: hour(due),
      fault,
    });
    const failed = [aMessage(1, -23, 'No such mailbox.'), aMessage(2, -25, 'No such mailbox.')];
    for (const one of failed) await table.put(itemOf(mailKeys.failedMessage(one), one));
    const waiting = [aMessage(3, 1, 'MessageRejected: Email address is not verified.'), aMessage(4, 1, null)];
    for (const one of waiting) await table.put(itemOf(mailKeys.message(one), one));
    const { value } = await metrics();
    const unsent = (state: string) => value('account_service_unsent_mail', { state });
    expect([unsent('failed'), unsent('waiting')]).toEqual([1, 1]);
  });

  test('a store without a backup reports 1970, and a backup and a doctor report their end and findings', async () => {
    const runs = async () => {
      const { value } = await metrics();
      const of = (name: string, run: string) => value(`account_service_last_run_${name}`, { run });
      const age = Date.now() / 1000 - (of('timestamp_seconds', 'backup') ?? 0);
      return { age, lacking: of('faults', 'backup'), wrong: of('faults', 'doctor') };
    };
    const never = await runs();
    expect([never.age > 1_000_000, never.wrong]).toEqual([true, undefined]);
    const backups = mkdtempSync(join(tmpdir(), 'account-service-backups-'));
    try {
      const { damaged } = JSON.parse((await cli(['backup', backups, '--json'], { DATA_DIR: folder })).stdout).manifest;
      const { code, stdout } = await cli(['doctor'], { DATA_DIR: folder });
      const { age, lacking, wrong } = await runs();
      expect([age < 60, lacking]).toEqual([true, damaged.length]);
      expect([code, wrong]).toEqual([1, stdout.match(/^WRONG/gm)?.length]);
      await cli(['doctor', '--quick'], { DATA_DIR: folder, RATE_LIMIT_PER_MINTE: '1' });
      expect((await runs()).wrong).toBe(wrong);
    } finally {
      rmSync(backups, { recursive: true });
    }
  });

  test('the server has each metric that the dashboard and the alerts name', async () => {
    const { types } = await metrics();
    const named = metricsIn([...dashboardTexts(dashboard()), alerts()].join('\n'));
    expect(named.filter((name) => !types.has(metricOf(name, types)))).toEqual([]);
  });

  test('a response that the guard sends before any host is counted by its code', async () => {
    const response = await fetch(`${running.urls.api}/healthz`, { headers: { 'X-Long': 'x'.repeat(17_000) } });
    expect(response.status).toBe(431);
    expect((await metrics()).value('account_service_early_refusals_total', { code: 'HPE_HEADER_OVERFLOW' })).toBe(1);
  });

  test.each([
    ['GET', '/', 404],
    ['GET', '/healthz', 404],
    ['GET', '/api/library', 404],
    ['POST', '/metrics', 405],
    ['DELETE', '/metrics', 405],
    ['HEAD', '/metrics', 200],
    ['GET', '/metrics?name=one', 200],
  ])('the request %s %s to the metrics address is %i', async (method, path, status) => {
    const url = new URL(path, running.metricsUrl);
    expect((await fetch(url, { method })).status).toBe(status);
  });

  test('the metrics are in the Prometheus text format and not cached', async () => {
    const { headers } = await fetch(running.metricsUrl ?? '');
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('a scraper that sends headers over 8 KiB is refused', async () => {
    const response = await fetch(running.metricsUrl ?? '', { headers: { 'X-Long': 'x'.repeat(9000) } });
    expect(response.status).toBe(431);
  });
});

test('a server without METRICS_PORT has no metrics address', async () => {
  const running = await start(ENVIRONMENT);
  expect(running.metricsUrl).toBeUndefined();
  await running.stop();
});

test('a start with the metrics port in use fails with one line that names the variable', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    await expect(start({ ...ENVIRONMENT, METRICS_PORT: String(port) })).rejects.toThrow(
      new PortTaken(`Port ${port} is in use; set METRICS_PORT to another port, or to 0 for a free one.`),
    );
  } finally {
    other.close();
  }
});
