import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALERTS, dashboard, SCRAPE } from '../../metrics/expressions.ts';
import { killServer, type ServerProcess, startServer } from '../../processes/server.ts';
import { freePort } from '../../support/free-port.ts';

const ALERT_TESTS = join(import.meta.dirname, 'alerts.test.yml');

/** The first scrape comes a second after the start, on an idle machine. */
const PATIENT = { timeout: 30_000, interval: 200 };

/** The output of promtool for these arguments. */
const promtool = (args: readonly string[], input = ''): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    const child = execFile('promtool', args, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
    child.stdin?.end(input);
  });

test.each([
  ['the alerts', ['check', 'rules', '--lint-fatal', ALERTS]],
  ['the scrape configuration', ['check', 'config', SCRAPE]],
  ['minutes that are played to the alerts', ['test', 'rules', ALERT_TESTS]],
])('promtool accepts %s', async (_, args) => {
  const { code, said } = await promtool(args);
  expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

describe('a Prometheus that scrapes a server', () => {
  let folder: string;
  let server: ServerProcess | undefined;
  let prometheus: ChildProcess | undefined;
  let url: string;
  let metricsUrl: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'account-service-prometheus-'));
    const [port, metricsPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}`;
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    server = await startServer(join(folder, 'data'), { METRICS_PORT: String(metricsPort) });
    const config = readFileSync(SCRAPE, 'utf8')
      .replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`)
      .replace('15s', '1s');
    writeFileSync(join(folder, 'prometheus.yml'), `${config}rule_files: ['${ALERTS}']\n`);
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
  });
  afterAll(async () => {
    for (const child of [prometheus, server?.child]) if (child) await killServer({ child }, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  type Answer = {
    readonly status: string;
    readonly error?: string;
    readonly data?: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };

  const query = async (expr: string): Promise<Answer> =>
    (await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr })}`)).json() as Promise<Answer>;

  /** The first value of a query; undefined if it has none. */
  const firstValue = async (expr: string): Promise<number | undefined> => {
    const answer = await query(expr).catch(() => undefined);
    const value = answer?.data?.result[0]?.value[1];
    return value === undefined ? undefined : Number(value);
  };

  test('Prometheus reads the metrics and counts the server’s requests', async () => {
    await expect.poll(() => firstValue('up{job="account-service"}'), PATIENT).toBe(1);
    for (let n = 0; n < 3; n++) expect((await fetch(`${server?.url}/api/library`)).status).toBe(401);
    const refused = 'account_service_refusals_total{endpoint="getLibrary", code="missing_api_key"}';
    await expect.poll(() => firstValue(refused), PATIENT).toBe(3);
    const within10s = 'account_service_http_request_duration_seconds_bucket{endpoint="getLibrary", le="10"}';
    expect(await firstValue(within10s)).toBe(3);
  });

  test('Prometheus accepts each expression of the dashboard', async () => {
    const targets = dashboard().panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [title, expr] as const),
    );
    expect(targets.length).toBeGreaterThan(20);
    for (const [title, expr] of targets) {
      const plain = expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'account-service');
      const { status, error } = await query(plain.replaceAll('$instance', '.*'));
      expect([title, status, error]).toEqual([title, 'success', undefined]);
    }
  });

  test('Prometheus loads the alerts without an error', async () => {
    const answer = await fetch(`${url}/api/v1/rules`);
    const { data } = (await answer.json()) as {
      data: { groups: readonly { rules: readonly { name: string; health: string }[] }[] };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
  });

  test('promtool finds nothing wrong with the metrics of the service', async () => {
    const { said } = await promtool(['check', 'metrics'], await (await fetch(metricsUrl)).text());
    // The client library's default metrics have names that promtool warns about.
    expect(said.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))).toEqual([]);
  });
});
