import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';

const urls = { api: 'http://api', design: 'http://design', app: 'http://app', account: 'http://account' };
const document = openApiDocument(urls);

type Parameter = { in: string; name: string; description?: string };
const { paths } = document as { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

/** Every value of the document that stands under a name. */
const under = (name: string): unknown[] => {
  const found: unknown[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === name) found.push(value);
    return value;
  });
  return found;
};

describe('the document', () => {
  test('tells each path parameter apart by a description of its own', () => {
    const byName = new Map<string, Set<string | undefined>>();
    for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
      for (const { in: place, name, description } of operation.parameters ?? []) {
        if (place === 'path') byName.set(name, (byName.get(name) ?? new Set()).add(description));
      }
    }
    const descriptions = [...byName.values()].flatMap((all) => [...all]);
    expect(descriptions).toHaveLength(byName.size);
    expect(new Set(descriptions).size).toBe(byName.size);
    expect(
      descriptions.filter((description = '') => description.length < 10 || /\b(\w+) of the \1\b/.test(description)),
    ).toEqual([]);
  });

  test('gives examples only for parts that a path has', () => {
    const strangers = allEndpoints.flatMap(({ id, path, pathExamples = {} }) =>
      Object.keys(pathExamples).flatMap((name) => (path.includes(`{${name}}`) ? [] : [`${id} ${name}`])),
    );
    expect(strangers).toEqual([]);
  });

  test('has nothing in a description that Markdown would take for a tag', () => {
    const prose = under('description').map((text) => String(text).replace(/`[^`]*`/g, ''));
    expect(prose.length).toBeGreaterThan(100);
    expect(prose.filter((text) => text.includes('<'))).toEqual([]);
  });

  test('keeps what a refusal says as it is said', () => {
    expect(JSON.stringify(under('missing_api_key'))).toContain('\\"Authorization: Bearer <key>\\"');
  });

  test('names no bound that is only that of a number of JavaScript, below', () => {
    const bounds = under('minimum');
    expect(bounds).toContain(1);
    expect(bounds).not.toContain(Number.MIN_SAFE_INTEGER);
  });
});
