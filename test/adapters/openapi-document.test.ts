import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { documentationOf } from '../../ports/inbound/documentation.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { byHost } from '../../ports/inbound/hosts.ts';

const urls = byHost((host) => `http://${host}`);
const document = openApiDocument(urls);

type Parameter = { in: string; name: string; description?: string; schema: object; allowEmptyValue?: boolean };
type Operation = {
  description?: string;
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: object };
  servers?: { url: string }[];
  'x-host': string;
};
const { paths } = document as { paths: Record<string, Record<string, Operation>> };

/** Every value of a field with this name in the document. */
const under = (name: string): unknown[] => {
  const found: unknown[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (key === name) found.push(value);
    return value;
  });
  return found;
};

describe('the OpenAPI document', () => {
  test('each path parameter of a host has one unique description', () => {
    const byName = new Map<string, Set<string | undefined>>();
    for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
      for (const { in: place, name, description } of operation.parameters ?? []) {
        const own = `${operation['x-host']} ${name}`;
        if (place === 'path') byName.set(own, (byName.get(own) ?? new Set()).add(description));
      }
    }
    const descriptions = [...byName.values()].flatMap((all) => [...all]);
    expect(descriptions).toHaveLength(byName.size);
    expect(new Set(descriptions).size).toBe(byName.size);
    expect(
      descriptions.filter((description = '') => description.length < 10 || /\b(\w+) of the \1\b/.test(description)),
    ).toEqual([]);
  });

  test('a query parameter has one type and no union, because generators make extra types of unions', () => {
    const parameters = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ parameters = [] }) => parameters.filter(({ in: place }) => place === 'query'));
    expect(parameters.length).toBeGreaterThan(30);
    for (const { schema, allowEmptyValue } of parameters) {
      expect([schema, allowEmptyValue]).toEqual([expect.objectContaining({ type: expect.any(String) }), true]);
      expect(JSON.stringify(schema)).not.toMatch(/"(?:anyOf|oneOf|null)"|[[:,]null/);
    }
  });

  test('the header Accept-Language has no default, which the reference page would send in place of the browser’s', () => {
    const parameters = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === 'Accept-Language'));
    expect(parameters.length).toBeGreaterThan(20);
    for (const parameter of parameters) {
      const description = '`ko` or `en`';
      const schema = { type: 'string', description };
      expect(parameter).toEqual({ in: 'header', name: 'Accept-Language', description, schema });
    }
  });

  test('the header Idempotency-Key documents its characters', () => {
    const [key] = paths['/api/support/reports']?.['post']?.parameters?.filter(({ in: p }) => p === 'header') ?? [];
    expect(key).toMatchObject({
      name: 'Idempotency-Key',
      schema: { pattern: '^[!-~]+$', minLength: 1, maxLength: 255 },
    });
  });

  test('a body with a file lists the form first, because many generators use only the first type', () => {
    const content = paths['/api/support/reports']?.['post']?.requestBody?.content ?? {};
    expect(Object.keys(content)).toEqual(['multipart/form-data', 'application/json']);
  });

  const schemas = (): Record<string, unknown>[] => {
    const found: Record<string, unknown>[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      found.push(value as Record<string, unknown>);
      for (const [name, one] of Object.entries(value)) if (!/^examples?$/.test(name)) walk(one);
    };
    walk(document);
    return found;
  };

  test('an integer that can pass 32 bits is int64, and one that can’t has its maximum', () => {
    const whole = schemas().filter(({ type }) => type === 'integer');
    expect(whole.length).toBeGreaterThan(500);
    for (const { format, maximum = Infinity } of whole)
      expect(format).toBe(Number(maximum) < 2 ** 31 ? undefined : 'int64');
  });

  test('a date-time has one form, objects are open, and nested objects are named components', () => {
    const [all, { components }] = [schemas(), document as { components: { schemas: Record<string, unknown> } }];
    expect(all.filter(({ format, pattern }) => format === 'date-time' && pattern !== undefined)).toEqual([]);
    expect(all.filter(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
    const named = new Set<unknown>(Object.values(components.schemas));
    expect(all.filter((one) => one['type'] === 'object' && one['properties'] && !named.has(one))).toEqual([]);
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['InstallRecordInstall', 'ListGrantsAnswer']),
    );
  });

  test('an endpoint gives path examples only for parameters of its own path', () => {
    const strangers = allEndpoints.flatMap(({ id, path }) =>
      Object.keys(documentationOf({ id }).pathExamples ?? {}).flatMap((name) =>
        path.includes(`{${name}}`) ? [] : [`${id} ${name}`],
      ),
    );
    expect(strangers).toEqual([]);
  });

  test.each([
    ['/api/library', 'get', ' Needs a key with the ability `products.read`.'],
    ['/api/agent/docs/{slug}', 'get', ' Needs a token of the role `read`.'],
  ])('the description of %s names its credential', (path, method, sentence) => {
    expect(paths[path]?.[method]?.description).toMatch(new RegExp(`[.]${sentence}$`));
  });

  test('no description contains text that Markdown would read as a tag', () => {
    const prose = under('description').map((text) => String(text).replace(/`[^`]*`/g, ''));
    expect(prose.length).toBeGreaterThan(100);
    expect(prose.filter((text) => text.includes('<'))).toEqual([]);
  });

  test('the example of a refusal keeps its message unchanged', () => {
    expect(JSON.stringify(under('missing_api_key'))).toContain('\\"Authorization: Bearer <key>\\"');
  });

  test('no minimum in the document is JavaScript’s smallest safe integer', () => {
    const bounds = under('minimum');
    expect(bounds).toContain(1);
    expect(bounds).not.toContain(Number.MIN_SAFE_INTEGER);
  });
});
