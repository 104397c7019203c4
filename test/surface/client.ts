import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Mount } from './mount.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it isn't JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and a wrong look fails the test
  readonly body: any;
};

export type Send = {
  readonly key?: string | undefined;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Record<string, string>;
};

const declared = (method: string, path: string): EndpointSpec | undefined =>
  allEndpoints.find(
    (endpoint) =>
      endpoint.method === method &&
      new RegExp(`^${endpoint.path.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );

/** An answer must be just what its endpoint declares: no field more, none less. */
const expectDeclared = (endpoint: EndpointSpec, reply: Reply): void => {
  if (endpoint.output.kind !== 'json' || reply.status >= 300) return;
  expect(reply.status).toBe(endpoint.output.status);
  const parsed = endpoint.output.schema.parse(reply.body);
  if (!isDeepStrictEqual(parsed, reply.body)) expect(reply.body).toEqual(parsed);
};

/** One request to the API host, its answer held against the declaration of its endpoint. */
export const send = async (mount: Mount, method: string, path: string, options: Send = {}): Promise<Reply> => {
  const { key, json, text, headers = {} } = options;
  const body = json === undefined ? text : JSON.stringify(json);
  const response = await fetch(mount.urls.api + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const read = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && read !== '';
  const reply = { status: response.status, headers: response.headers, text: read, body: isJson ? JSON.parse(read) : undefined };
  const endpoint = declared(method, path.split('?')[0] as string);
  if (endpoint) expectDeclared(endpoint, reply);
  return reply;
};

export const get = (mount: Mount, path: string, key?: string, headers?: Record<string, string>): Promise<Reply> =>
  send(mount, 'GET', path, { key, ...(headers ? { headers } : {}) });

export const post = (mount: Mount, path: string, key: string | undefined, json: unknown): Promise<Reply> =>
  send(mount, 'POST', path, { key, json });

export const put = (mount: Mount, path: string, key: string | undefined, json: unknown): Promise<Reply> =>
  send(mount, 'PUT', path, { key, json });
