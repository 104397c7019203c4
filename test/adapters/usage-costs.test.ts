import { expect, test } from 'vitest';
import { COMMANDS, usageCosts } from '../tools/costs/usage-rows.ts';

const [none = {}, , many = {}] = Object.values(COMMANDS);

const totalOf = (commands: object, way: RegExp): number => {
  const cost = usageCosts(commands).find((one) => way.test(one.way));
  return (cost?.writing ?? 0) + (cost?.storage ?? 0);
};

test('an item a month is cheaper for rows without commands, and dearer for rows with many', () => {
  expect(totalOf(none, /month/)).toBeLessThan(totalOf(none, /400 days/));
  expect(totalOf(many, /month/)).toBeGreaterThan(totalOf(many, /400 days/));
});

test('a life of 400 days costs little more than half of one of 800', () => {
  expect(totalOf(none, /400 days/) / totalOf(none, /800 days/)).toBeLessThan(0.6);
});
