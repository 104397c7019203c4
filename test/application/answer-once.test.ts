import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { NOW } from '../support/builders.ts';
import { memoryEngines, memoryService } from '../support/service.ts';

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

  describe('where the store fails afterwards', () => {
    class Unreachable extends MemoryTable {
      failing = false;
      override put(...args: Parameters<MemoryTable['put']>) {
        return this.failing ? Promise.reject(new StoreUnavailable('gone')) : super.put(...args);
      }
      override remove(...args: Parameters<MemoryTable['remove']>) {
        return this.failing ? Promise.reject(new StoreUnavailable('gone')) : super.remove(...args);
      }
    }
    const lost = async (outcome: () => Promise<Outcome<unknown, string>>) => {
      const table = new Unreachable();
      const once = memoryService({ clock: { now: () => NOW } }, { ...memoryEngines(), table }).get('answerOnce');
      const work = async (claimed: Promise<void>) => {
        await claimed;
        table.failing = true;
        return outcome();
      };
      const answer = await once.execute({ key: KEY, fingerprint: 'f', admitted, work }).catch((error) => error);
      table.failing = false;
      const again = await once.execute({ key: KEY, fingerprint: 'f', admitted, work: async () => ok(2) });
      return { answer, again };
    };

    test('is told what was done, and is not done again at once', async () => {
      const { answer, again } = await lost(async () => ok(1));
      expect(answer).toEqual({ outcome: ok(1), replayed: false });
      expect(again.outcome).toMatchObject({ code: 'idempotency_key_in_use' });
    });

    test('is told of the fault that broke it', async () => {
      const { answer } = await lost(async () => {
        throw new Error('broken');
      });
      expect(answer).toEqual(new Error('broken'));
    });
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
