import { describe, expect, test } from 'vitest';
import { aBuyer, aKey } from '../buyers.ts';
import { get, put } from '../client.ts';
import type { Mount } from '../mount.ts';
import { OTHER, TOOL } from '../shop.ts';

const PATH = `/api/products/${TOOL}/setup-progress`;

export const setupProgressSuite = (mount: () => Mount): void => {
  test('begins at nothing', async () => {
    const { key } = await aBuyer(mount().service);
    expect((await get(mount(), PATH, key)).body).toEqual({
      completed_step_indexes: [],
      completed_count: 0,
      total_count: 3,
      progress_percent: 0,
      completed: false,
      completed_at: null,
    });
  });

  test('is what was saved last, each step once and in order', async () => {
    const { key } = await aBuyer(mount().service);
    const saved = await put(mount(), PATH, key, { completed_step_indexes: [2, 0, 2] });
    expect(saved.body).toMatchObject({ completed_step_indexes: [0, 2], completed_count: 2, progress_percent: 66 });
    expect((await get(mount(), PATH, key)).body).toEqual(saved.body);
    await put(mount(), PATH, key, { completed_step_indexes: [1] });
    expect((await get(mount(), PATH, key)).body.completed_step_indexes).toEqual([1]);
    await put(mount(), PATH, key, { completed_step_indexes: [] });
    expect((await get(mount(), PATH, key)).body.completed_count).toBe(0);
  });

  test('is complete from the moment all steps were done, until one is taken back', async () => {
    const { key } = await aBuyer(mount().service);
    const done = await put(mount(), PATH, key, { completed_step_indexes: [0, 1, 2] });
    expect(done.body).toMatchObject({ completed: true, progress_percent: 100, completed_at: expect.any(String) });
    const again = await put(mount(), PATH, key, { completed_step_indexes: [2, 1, 0] });
    expect(again.body.completed_at).toBe(done.body.completed_at);
    const less = await put(mount(), PATH, key, { completed_step_indexes: [0, 1] });
    expect(less.body).toMatchObject({ completed: false, completed_at: null });
  });

  test.each([[{}], [undefined], [{ unknown: [1] }]])('stays as it was for %j', async (body) => {
    const { key } = await aBuyer(mount().service);
    await put(mount(), PATH, key, { completed_step_indexes: [0] });
    expect((await put(mount(), PATH, key, body)).body.completed_step_indexes).toEqual([0]);
  });

  test.each([
    [[3], 'completed_step_indexes.0'],
    [[0, 99], 'completed_step_indexes.1'],
    [[0, -1], 'completed_step_indexes.1'],
    [[0.5], 'completed_step_indexes.0'],
    [['0'], 'completed_step_indexes.0'],
    [[null], 'completed_step_indexes.0'],
    [[[0]], 'completed_step_indexes.0'],
    [0, 'completed_step_indexes'],
    ['0', 'completed_step_indexes'],
    [null, 'completed_step_indexes'],
    [{ 0: 0 }, 'completed_step_indexes'],
    [Array(201).fill(0), 'completed_step_indexes'],
  ])('refuses %j with 422 and stays as it was', async (completed_step_indexes, field) => {
    const { key } = await aBuyer(mount().service);
    await put(mount(), PATH, key, { completed_step_indexes: [1] });
    const reply = await put(mount(), PATH, key, { completed_step_indexes });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect((await get(mount(), PATH, key)).body.completed_step_indexes).toEqual([1]);
  });

  test('of a product without steps is complete, and takes none', async () => {
    const { key } = await aBuyer(mount().service, { product_id: OTHER });
    const path = `/api/products/${OTHER}/setup-progress`;
    expect((await get(mount(), path, key)).body).toMatchObject({ total_count: 0, completed: true });
    expect((await put(mount(), path, key, { completed_step_indexes: [0] })).status).toBe(422);
  });

  describe('belongs to the account', () => {
    test('and so to all its keys', async () => {
      const { account, key } = await aBuyer(mount().service);
      await put(mount(), PATH, key, { completed_step_indexes: [0, 1] });
      const second = (await aKey(mount().service, account)).value;
      expect((await get(mount(), PATH, second)).body.completed_count).toBe(2);
    });

    test('and to no other', async () => {
      const [mine, theirs] = [await aBuyer(mount().service), await aBuyer(mount().service)];
      await put(mount(), PATH, mine.key, { completed_step_indexes: [0] });
      expect((await get(mount(), PATH, theirs.key)).body.completed_count).toBe(0);
    });
  });
};
