import { expect, test } from 'vitest';
import { aBuyer } from '../buyers.ts';
import { get, put } from '../client.ts';
import type { Mount } from '../mount.ts';
import { TOOL } from '../shop.ts';

const PATH = `/api/products/${TOOL}/setup-progress`;

export const setupProgressSuite = (mount: () => Mount): void => {
  test('the setup progress has the steps that were saved last, without duplicates and in order', async () => {
    const { key } = await aBuyer(mount().service);
    const saved = await put(mount(), PATH, key, { completed_step_indexes: [2, 0, 2] });
    expect(saved.body).toMatchObject({ completed_step_indexes: [0, 2], completed_count: 2, progress_percent: 66 });
    expect((await get(mount(), PATH, key)).body).toEqual(saved.body);
    await put(mount(), PATH, key, { completed_step_indexes: [1] });
    expect((await get(mount(), PATH, key)).body.completed_step_indexes).toEqual([1]);
    await put(mount(), PATH, key, { completed_step_indexes: [] });
    expect((await get(mount(), PATH, key)).body.completed_count).toBe(0);
  });

  test.each([
    [[3], 'completed_step_indexes.0'],
    [[0, 99], 'completed_step_indexes.1'],
    [[0, -1], 'completed_step_indexes.1'],
    [[0.5], 'completed_step_indexes.0'],
    [['first'], 'completed_step_indexes.0'],
    [[null], 'completed_step_indexes.0'],
    [[[0]], 'completed_step_indexes.0'],
    [0, 'completed_step_indexes'],
    ['0', 'completed_step_indexes'],
    [{ 0: 0 }, 'completed_step_indexes'],
    [Array(201).fill(0), 'completed_step_indexes'],
  ])('the setup progress refuses %j with 422 and is unchanged', async (completed_step_indexes, field) => {
    const { key } = await aBuyer(mount().service);
    await put(mount(), PATH, key, { completed_step_indexes: [1] });
    const reply = await put(mount(), PATH, key, { completed_step_indexes });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect((await get(mount(), PATH, key)).body.completed_step_indexes).toEqual([1]);
  });
};
