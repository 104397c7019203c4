import { parse } from 'node:querystring';
import type { Tool } from './tool.ts';

const MAX_LENGTH = 200;

/**
 * The tools that the address asks for: those of the groups in `?tools=library,install`, or every one. The value is a
 * sentence where a group does not exist.
 */
export const wantedTools = (query: string, tools: readonly Tool[]): readonly Tool[] | string => {
  const { tools: given } = query === '' ? {} : parse(query);
  const text = Array.isArray(given) ? given.join(',') : (given ?? '');
  const names = text
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return tools;
  const groups = [...new Set(tools.map(({ group }) => group))];
  const wrong = names.find((name) => !groups.includes(name));
  if (wrong !== undefined) return `There is no group "${wrong.slice(0, 40)}"; ?tools= takes ${groups.join(', ')}.`;
  return tools.filter(({ group }) => names.includes(group));
};
