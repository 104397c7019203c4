import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { toolInput } from '../../adapters/mcp/endpoint-tools.ts';
import { foreignTo } from '../../adapters/mcp/handler.ts';
import { inputSchema, outputSchema } from '../../adapters/mcp/json-schema.ts';
import { RESULT_CHARACTERS, shorten } from '../../adapters/mcp/tool-result.ts';
import { endpoint } from '../../ports/inbound/endpoint.ts';
import { orNull, pathId, queryInteger, queryOneOf, queryText } from '../../ports/inbound/fields.ts';

const ADD_VERSION = endpoint({
  id: 'addVersion',
  host: 'design',
  method: 'POST',
  path: '/api/docs/{doc}/versions',
  params: () => z.object({ doc: pathId('id of the document') }),
  access: { credential: 'none' },
  query: () =>
    z.object({ doc: queryInteger('Another document.'), language: queryText(5, 'Language of the document.') }),
  body: () => z.object({ doc: z.string(), text: z.string() }),
  output: { kind: 'json', status: 201 },
  refusals: [],
  localized: true,
  idempotent: true,
});

describe('the input of a tool', () => {
  test('fields with one name in path, query and body become separate arguments', () => {
    const input = toolInput(ADD_VERSION);
    expect(Object.keys(input.schema.properties)).toEqual([
      'doc',
      'query_doc',
      'language',
      'body_doc',
      'text',
      'language_language',
      'idempotency_key',
    ]);
    expect(input.schema.required).toEqual(['doc', 'body_doc', 'text']);
    const args = {
      doc: 1,
      query_doc: 2,
      body_doc: 'three',
      text: 'four',
      language: 'fr',
      language_language: 'ko',
      idempotency_key: 'k',
    };
    expect(input.place(args)).toEqual({
      params: { doc: 1 },
      query: { doc: 2, language: 'fr' },
      body: { doc: 'three', text: 'four' },
      language: 'ko',
      idempotencyKey: 'k',
    });
    expect(input.unknown({ ...args, five: 5 })).toEqual(['five']);
  });

  test('the description of an idempotent call says what a repetition returns: the first response, or new secrets if the first are unused', () => {
    const { idempotent, ...plain } = ADD_VERSION;
    const described = (of: { idempotent?: true; named?: true }) => {
      const { properties } = toolInput({ ...plain, ...of }).schema;
      return (properties['idempotency_key'] as { description: string } | undefined)?.description;
    };
    expect(described({ idempotent })).toContain('returns the first answer');
    expect(described({ named: true })).toContain('returns new values for unused keys');
    expect(described({})).toBeUndefined();
  });

  test('names from the object prototype are unknown arguments', () => {
    const input = toolInput(ADD_VERSION);
    expect(input.unknown(JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual(['__proto__', 'constructor']);
    expect(input.place({}).params).toEqual({});
  });
});

describe('the schema of a tool', () => {
  const Named = z.object({ at: z.iso.datetime(), of: z.string() }).meta({ id: 'NamedOfTheTest' });
  const Answer = z.object({
    one: Named,
    two: Named.nullable().describe('the second; null where there is none'),
    many: z.array(Named),
    kind: z.enum(['a', 'b']),
    text: z.string().nullable(),
  });

  test('the schema of a response has its first level and a description of the rest', () => {
    expect(outputSchema(Answer)).toEqual({
      type: 'object',
      properties: {
        one: { type: 'object', description: 'at, of' },
        two: { anyOf: [{ type: 'object' }, { type: 'null' }], description: 'the second' },
        many: { type: 'array', description: 'at, of' },
        kind: { type: 'string', description: 'a, b' },
        text: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    });
  });

  test('the schema of an argument has one type, because an agent omits it instead of sending null', () => {
    const schema = z.object({
      one: orNull(z.int().min(1)),
      two: queryOneOf(['a', 'b'], 'A letter.'),
      three: z.string().nullable(),
    });
    expect(inputSchema(schema).properties).toEqual({
      one: { type: 'integer' },
      two: { type: 'string', enum: ['a', 'b'], description: 'A letter.' },
      three: { type: 'string' },
    });
  });

  test('fields named like keywords keep their schemas', () => {
    const schema = z.object({ default: z.string().default('x'), pattern: z.string(), properties: z.boolean() });
    expect(Object.keys(inputSchema(schema).properties)).toEqual(['default', 'pattern', 'properties']);
  });

  test('a schema whose root is not an object is refused', () => {
    expect(() => outputSchema(z.array(z.string()))).toThrow('must be an object');
  });
});

describe('the shortening of a long response', () => {
  test('a response that fits stays unchanged', () => {
    expect(shorten({ items: [1, 2, 3] }, RESULT_CHARACTERS)).toBeUndefined();
  });

  test('a long list keeps its first entries, and the cut is stated', () => {
    const items = Array.from({ length: 5000 }, (_, id) => ({ id, name: `product ${id}`, tags: ['a', 'b'] }));
    const short = shorten({ items }, RESULT_CHARACTERS);
    const kept = (short?.value as { items: typeof items }).items;
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(500);
    expect(short?.cuts).toEqual([`items: ${kept.length} of 5000 entries`]);
  });

  test('a text that is too long alone keeps its beginning', () => {
    const short = shorten({ html: 'x'.repeat(100_000), title: 'T' }, RESULT_CHARACTERS);
    expect(short?.value).toEqual({ html: 'x'.repeat(10_000), title: 'T' });
    expect(short?.cuts).toEqual(['html: the first 10000 of 100000 characters']);
  });

  test('any shortened response fits and has the same fields', () => {
    const text = fc.string({ maxLength: 300 });
    const entry = fc.record({
      id: fc.integer(),
      name: text,
      tags: fc.array(text, { maxLength: 20 }),
      none: fc.constant(null),
    });
    fc.assert(
      fc.property(
        fc.record({ a: fc.array(entry, { maxLength: 60 }), b: fc.array(entry, { maxLength: 60 }), c: text }),
        (value) => {
          const limit = 4000;
          const short = shorten(value, limit);
          if (short === undefined) {
            expect(JSON.stringify(value).length).toBeLessThanOrEqual(limit);
            return;
          }
          expect(JSON.stringify(short.value).length).toBeLessThanOrEqual(limit);
          expect(Object.keys(short.value as object)).toEqual(Object.keys(value));
          expect(short.cuts.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('the sender of a request', () => {
  const isForeign = foreignTo(['https://api.example.com', 'https://old.example.com']);
  const isForeignToShop = foreignTo(['https://api.example.com'], ['https://shop.example.com']);
  const isForeignLocally = foreignTo(['http://127.0.0.1:8787']);

  test.each([
    [{ host: 'api.example.com' }, false],
    [{ host: 'API.example.com:443' }, false],
    [{ host: 'old.example.com' }, false],
    [{ host: 'localhost:8787' }, false],
    [{ host: '[::1]:8787' }, false],
    [{}, false],
    [{ host: 'evil.example.com' }, true],
    [{ host: 'api.example.com.evil.com' }, true],
    [{ host: '' }, true],
    [{ host: 'api.example.com', origin: 'https://api.example.com' }, false],
    [{ host: 'api.example.com', origin: 'http://api.example.com' }, true],
    [{ host: 'api.example.com', origin: 'https://api.example.com:8443' }, true],
    [{ host: 'api.example.com', origin: 'http://localhost:6274' }, true],
    [{ host: 'api.example.com', origin: 'null' }, true],
    [{ host: 'api.example.com', origin: '' }, true],
  ])('the origin %j is foreign to a public service: %s', (headers, expected) => {
    expect(isForeign(headers)).toBe(expected);
  });

  test.each([
    [{ host: 'api.example.com', origin: 'https://shop.example.com' }, false],
    [{ host: 'evil.example.com', origin: 'https://shop.example.com' }, true],
    [{ host: 'shop.example.com', origin: 'https://shop.example.com' }, true],
    [{ host: 'api.example.com', origin: 'https://evil.example.com' }, true],
  ])('the origin %j is foreign to a service that is open to the shop’s pages: %s', (headers, expected) => {
    expect(isForeignToShop(headers)).toBe(expected);
  });

  test.each([
    [{ host: '127.0.0.1:8787', origin: 'http://localhost:6274' }, false],
    [{ host: 'localhost:8787', origin: 'http://[::1]:3000' }, false],
    [{ host: '127.0.0.1:8787', origin: 'https://evil.example.com' }, true],
    [{ host: 'evil.example.com:8787' }, true],
  ])('the origin %j is foreign to a service on this machine: %s', (headers, expected) => {
    expect(isForeignLocally(headers)).toBe(expected);
  });
});
