import { hash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, type Call, openFakeDesignHost } from './support/fake-design-host.ts';
import { type Ended, startCollector } from './support/run-collector.ts';

// Each test starts a program and a browser, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const LOOK = ['--langs', 'en', '--viewports', 'mobile', '--json'];
const HELD = {
  message: 'Another collect run is open.',
  run: {
    id: 3,
    agent: 'night shift',
    opened_at: '2026-11-22T00:00:00.000Z',
    lease_expires_at: '2026-11-22T00:10:00.000Z',
  },
};

const openHost = async (decide?: (call: Call, before: number) => Answer | undefined) => {
  const host = await openFakeDesignHost(decide);
  onTestFinished(() => host.close());
  return host;
};

const collected = (host: { url: string }, ...more: string[]): Promise<Ended> =>
  startCollector(['--design', host.url, ...LOOK, ...more]).ended;

test('a collect run uploads each style sheet once and each page whole, without the tokens of hidden fields, submits and waits for the replay', async () => {
  const host = await openHost();
  const { code, out, said } = await collected(host);
  expect([code, said]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({
    run: { id: 7, state: 'replayed' },
    captures: { ok: 3, failed: 0, redirected: 0 },
    complaints: [],
    gallery: `${host.url}/`,
  });
  expect(host.calls.map(({ step }) => step)).toEqual([
    'open',
    'assets',
    ...['captures', 'captures', 'captures'],
    'submit',
    ...['run', 'run'],
  ]);
  expect(JSON.parse(String(host.of('open')[0]?.files['body']))).toEqual({
    viewports: ['mobile'],
    langs: ['en'],
    apps: ['design'],
  });
  const [asset] = host.of('assets');
  expect(asset?.fields).toEqual({ sha256: host.styleSum, type: 'css', url: `${host.url}/style.css` });
  expect(hash('sha256', asset?.files['file'] as Buffer)).toBe(host.styleSum);
  const capture = host.of('captures').find(({ fields }) => fields['url'] === `${host.url}/documents`);
  expect(capture?.fields).toMatchObject({
    key: hash('sha1', 'design|/documents|mobile|en|light'),
    url: `${host.url}/documents`,
    viewport: 'mobile',
    lang: 'en',
    auth: 'false',
    outcome: 'ok',
    http_status: '200',
  });
  expect(JSON.parse(capture?.fields['meta'] ?? '')).toEqual({
    title: 'A page',
    app: 'design',
    flow: 'Gallery',
    step: 2,
    kind: 'list',
    platform: 'web',
    mode: 'light',
  });
  expect(JSON.parse(capture?.fields['assets'] ?? '')).toEqual([
    { url: `${host.url}/style.css`, sha256: host.styleSum },
  ]);
  const { image, html } = capture?.files ?? {};
  expect(image?.subarray(1, 4).toString()).toBe('PNG');
  expect(image?.readUInt32BE(16)).toBe(390);
  expect(String(html)).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(String(html)).toContain('value="kept"');
  expect(String(html)).not.toContain('a-secret-token');
});

test('a run of another agent ends the collector with code 3, naming the holder and the end of the lock', async () => {
  const host = await openHost(({ step }) => (step === 'open' ? { status: 409, body: HELD } : undefined));
  const { code, said } = await collected(host);
  expect(code).toBe(3);
  expect(said).toBe('Run 3 of night shift is open, until 2026-11-22T00:10:00.000Z at the latest.\n');
  expect(host.calls.map(({ step }) => step)).toEqual(['open']);
});

test('the collector waits for another agent’s run and for Retry-After, and repeats lost requests and 503s', async () => {
  const host = await openHost(({ step }, before) => {
    if (step === 'open' && before === 0) return { status: 409, body: HELD };
    if (step === 'captures' && before === 0) return 'drop';
    if (step === 'captures' && before === 1) return { status: 429, headers: { 'retry-after': '2' } };
    return step === 'submit' && before === 0 ? { status: 503 } : undefined;
  });
  const { code } = await collected(host, '--pages', 'documents', '--wait', '30');
  expect([code, ...['open', 'captures', 'submit'].map((step) => host.of(step).length)]).toEqual([0, 2, 3, 2]);
  const [, second, third] = host.of('captures');
  expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(2000);
});

test('a form that is too large is sent without its files, which follow by signed uploads', async () => {
  const host = await openHost(({ step, files }) =>
    step === 'captures' && files['image'] ? { status: 413, body: { message: 'At most 4 MiB.' } } : undefined,
  );
  const { code } = await collected(host, '--pages', 'documents');
  expect(code).toBe(0);
  const [whole, promised] = host.of('captures');
  const { image, html } = whole?.files ?? {};
  expect(promised?.files).toEqual({});
  expect(promised?.fields).toMatchObject({
    key: whole?.fields['key'],
    image_sha256: hash('sha256', image as Buffer),
    image_size: String(image?.length),
    html_sha256: hash('sha256', html as Buffer),
    html_size: String(html?.length),
  });
  expect(host.of('put').map(({ files }) => files['body'])).toEqual([image, html]);
});

test('pages that redirect or fail are captured without files and reported', async () => {
  const host = await openHost(({ step }) => {
    if (step === '/') return { status: 302, headers: { location: '/elsewhere' } };
    return step === '/documents' ? { status: 500 } : undefined;
  });
  const { code, out } = await collected(host);
  expect(code).toBe(4);
  expect(JSON.parse(out)).toMatchObject({ captures: { ok: 0, redirected: 2, failed: 1 } });
  const outcomes = host
    .of('captures')
    .map(({ fields, files }) => [fields['outcome'], fields['final_url'] ?? fields['message'], Object.keys(files)]);
  expect(outcomes).toEqual([
    ['redirected', `${host.url}/elsewhere`, []],
    ['redirected', `${host.url}/elsewhere`, []],
    ['failed', 'The page was answered 500.', []],
  ]);
});

test('a collector that is stopped by Ctrl+C fails its run and ends with code 130', async () => {
  const host = await openHost();
  const { child, ended } = startCollector(['--design', host.url, ...LOOK]);
  while (host.of('captures').length === 0) await host.next();
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  const [failed] = host.of('fail');
  expect(JSON.parse(String(failed?.files['body']))).toEqual({ error: 'The collector was stopped.' });
  expect(host.of('submit')).toEqual([]);
});

test('a refused upload fails the run with the server’s reason', async () => {
  const refusal = { status: 422, body: { message: 'The image is no PNG or JPEG.' } };
  const host = await openHost(({ step }) => (step === 'captures' ? refusal : undefined));
  const { code, said } = await collected(host, '--pages', 'documents');
  expect([code, said]).toEqual([1, expect.stringContaining('was refused (422): The image is no PNG or JPEG.')]);
  expect(String(host.of('fail')[0]?.files['body'])).toContain('The image is no PNG or JPEG.');
});

test('a refused token ends the collector before a browser starts', async () => {
  const body = { message: 'This token is unknown or revoked.' };
  const host = await openHost(() => ({ status: 401, body }));
  const { code, said } = await collected(host);
  expect([code, said]).toEqual([1, 'The run was refused (401): This token is unknown or revoked.\n']);
});

test.each([
  ['no design host', []],
  ['account pages without an account host', ['--design', 'http://127.0.0.1:1', '--pages', 'library']],
  ['an option that is unknown', ['--design', 'http://127.0.0.1:1', '--fast']],
])('the call %s is wrong usage, with code 2', async (_, args) => {
  const { code, said } = await startCollector(args).ended;
  expect([code, said]).toEqual([2, expect.stringContaining('usage:')]);
});
