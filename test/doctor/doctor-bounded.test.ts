import { expect, test, vi } from 'vitest';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { checkBounded, examinationOf } from '../../runtimes/doctor/bounded.ts';
import { anAccount } from '../support/account-builders.ts';
import { anOrder, aProduct } from '../support/builders.ts';
import { put } from '../support/contents.ts';
import { BY_WEBHOOK, MAILING, payOrder } from '../support/mail.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';

test('the scheduled doctor reads as much in a store of 2 accounts as in one of 400 with as many sales', async () => {
  const engines = memoryEngines();
  let calls = 0;
  const table = new Proxy(engines.table, {
    get: (of, name) => {
      const value = Reflect.get(of, name, of);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls++;
        return value.apply(of, args);
      };
    },
  });
  const service = memoryService({}, { ...engines, table }, { ...MAILING, catalogAge: 60_000 });
  const config = readConfig({ STORE: 'memory', OBJECTS: 'memory', API_URL: 'https://api.example.com' });
  const filled = async (from: number, to: number) => {
    for (let id = from; id <= to; id++) {
      await put(service, { accounts: [anAccount({ id })] });
      await payOrder(service, anOrder({ id, account_id: id }));
    }
    await service.get('sendNextMessage')(BY_WEBHOOK);
    calls = 0;
    const findings = await checkBounded(service, config);
    return { calls, checks: findings.map(({ check }) => check) };
  };
  await service.get('catalogEditor').save(BY_WEBHOOK, { kind: 'product', value: aProduct({ id: 1 }) });
  await checkBounded(service, config);
  const few = await filled(1, 2);
  expect(few.calls).toBeGreaterThan(8);
  expect(await filled(3, 400)).toEqual(few);
});

test('requests share one check for a minute, and an unresponsive store is a finding after ten seconds', async () => {
  vi.useFakeTimers();
  try {
    const config = readConfig({ STORE: 'memory', OBJECTS: 'memory', API_URL: 'https://api.example.com' });
    const engines = memoryEngines();
    let pings = 0;
    const hangs = Object.assign(Object.create(engines.objects), {
      ping: () => {
        pings++;
        return new Promise(() => {});
      },
    });
    const service: Service = memoryService({}, { ...engines, objects: hangs });
    const examine = examinationOf(() => service, config);
    const [first] = await Promise.all([examine(), examine(), vi.advanceTimersByTimeAsync(10_000)]);
    expect(first).toMatchObject([{ kind: 'wrong', message: expect.stringContaining('ten seconds') }]);
    expect(pings).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all([examine(), vi.advanceTimersByTimeAsync(10_000)]);
    expect(pings).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
