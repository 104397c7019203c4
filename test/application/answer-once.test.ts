import { describe, expect, test } from 'vitest';
import { addDays } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { NOW } from '../support/builders.ts';
import { memoryService } from '../support/service.ts';

const KEY = { account: 1, endpoint: 'record', key: 'one' };
const admitted = Promise.resolve();

const aService = (now: () => string = () => NOW) => memoryService({ clock: { now } }).get('answerOnce');

describe('a request with a name', () => {
  test('that breaks is done anew', async () => {
    const once = aService();
    const broken = async (): Promise<never> => {
      throw new Error('broken');
    };
    await expect(once.execute({ key: KEY, fingerprint: 'f', admitted, work: broken })).rejects.toThrow('broken');
    const again = await once.execute({ key: KEY, fingerprint: 'f', admitted, work: async () => ok(2) });
    expect(again).toEqual({ outcome: ok(2), replayed: false });
  });

  test('that is refused may be sent with other input', async () => {
    const once = aService();
    const refused = async () => refuse('not_found');
    await once.execute({ key: KEY, fingerprint: 'f', admitted, work: refused });
    const mended = await once.execute({ key: KEY, fingerprint: 'g', admitted, work: async () => ok(2) });
    expect(mended.outcome).toEqual(ok(2));
  });

  test('that is turned away takes no name', async () => {
    const once = aService();
    const away = Promise.reject(new Error('away'));
    await expect(
      once.execute({ key: KEY, fingerprint: 'f', admitted: away, work: async () => ok(1) }),
    ).rejects.toThrow();
    const other = await once.execute({ key: KEY, fingerprint: 'g', admitted, work: async () => ok(2) });
    expect(other.outcome).toEqual(ok(2));
  });

  test('writes nothing where it was answered before', async () => {
    const once = aService();
    const written: number[] = [];
    const work = (n: number) => async (claimed: Promise<void>) => {
      await claimed;
      written.push(n);
      return ok(n);
    };
    await once.execute({ key: KEY, fingerprint: 'f', admitted, work: work(1) });
    const second = await once.execute({ key: KEY, fingerprint: 'f', admitted, work: work(2) });
    expect([second, written]).toEqual([{ outcome: ok(1), replayed: true }, [1]]);
  });

  test('is another one after a day', async () => {
    let now = NOW;
    const once = aService(() => now);
    const work = (n: number) => async () => ok(n);
    await once.execute({ key: KEY, fingerprint: 'f', admitted, work: work(1) });
    now = addDays(NOW, 1);
    const later = await once.execute({ key: KEY, fingerprint: 'f', admitted, work: work(2) });
    expect(later).toEqual({ outcome: ok(2), replayed: false });
  });
});
