import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const tsc = ['checks/node_modules/@typescript/native/bin/tsc', '-p'];

describe('an Express app of another team on the built package', () => {
  let app: ReturnType<typeof spawn>;
  let started: { url: string; studio: string; free: string };

  beforeAll(async () => {
    await run(process.execPath, [...tsc, 'tsconfig.build.json']);
    app = spawn(process.execPath, ['examples/own-express-app/main.ts'], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: app.stdout as NodeJS.ReadableStream }), 'line');
    started = JSON.parse(line as string);
  }, 180_000);

  afterAll(async () => {
    app.kill();
    await once(app, 'exit');
  });

  const check = (key: string, device_id: string): Promise<Response> =>
    fetch(`${started.url}/api/license/check`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ bundle_id: 'com.example.studio', device_id }),
    });

  test('the example app compiles against the types of the package alone', async () => {
    await run(process.execPath, [...tsc, 'examples/own-express-app/tsconfig.json']);
  }, 180_000);

  test('the example app serves its own pages beside the API', async () => {
    expect(await (await fetch(started.url)).text()).toContain('own site');
  });

  test('the example app takes licenses from the team’s own data and enforces the device limit', async () => {
    expect(await (await check(started.studio, 'one')).json()).toMatchObject({
      valid: true,
      devices: { used: 1, limit: 2 },
    });
    expect((await check(started.studio, 'two')).status).toBe(200);
    expect((await check(started.studio, 'three')).status).toBe(409);
    expect(await (await check(started.free, 'one')).json()).toMatchObject({ valid: false, code: 'not_entitled' });
  });
});
