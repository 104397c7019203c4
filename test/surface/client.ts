import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { refusalSchema, refusalsOf } from '../../adapters/openapi/document.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { REFUSALS } from '../../ports/inbound/refusals.ts';
import type { Mount } from './mount.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or undefined if it isn't JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and a wrong look fails the test
  readonly body: any;
};

export type Send = {
  readonly key?: string | undefined;
  readonly json?: unknown;
  readonly text?: string;
  readonly form?: FormData;
  readonly headers?: Record<string, string>;
};

const isOf = ({ path: declaredPath }: EndpointSpec, path: string): boolean =>
  new RegExp(`^${declaredPath.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

const declared = (method: string, path: string): EndpointSpec | undefined =>
  allEndpoints.find((endpoint) => endpoint.method === method && isOf(endpoint, path));

/** The host of a path, with any method. Unknown paths go to the API host. */
export const hostOf = (path: string): Host => allEndpoints.find((endpoint) => isOf(endpoint, path))?.host ?? 'api';

/** Expects that a response has exactly the status and the fields that its endpoint declares. */
const expectDeclaredOutput = (endpoint: EndpointSpec, reply: Reply): void => {
  const { output } = endpoint;
  if (output.kind !== 'json') return;
  // A notification has no answer.
  if (endpoint.protocol !== undefined && reply.status === 202) {
    expect(reply.text).toBe('');
    return;
  }
  if (output.otherwise === 'empty' && reply.status === 204) {
    expect(reply.text).toBe('');
    return;
  }
  const joined = output.joinedBy !== undefined && reply.body[output.joinedBy] === true;
  expect(reply.status).toBe(joined ? 200 : output.status);
  const parsed = endpoint.answer?.().parse(reply.body);
  if (!isDeepStrictEqual(parsed, reply.body)) expect(reply.body).toEqual(parsed);
};

/** The statuses of a file request whose condition or range fails. */
const CONDITIONS = [412, 416];

/** Expects that a refusal is declared by its endpoint and has the documented shape. */
const expectDeclaredRefusal = (endpoint: EndpointSpec, { status, body }: Reply): void => {
  if (endpoint.output.kind === 'binary' && CONDITIONS.includes(status)) return;
  if (endpoint.protocol !== undefined && body.jsonrpc !== undefined) {
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.any(String) } });
    return;
  }
  const codes = refusalsOf(endpoint).filter((code) => REFUSALS[code].status === status);
  const names = codes.map((code) => (REFUSALS[code].named ? code : undefined));
  expect(names, `an undeclared ${status} of ${endpoint.id}`).toContain(body.error);
  const documented = codes.map((code) => refusalSchema(code, endpoint).safeParse(body).data);
  expect(documented, `fields of a ${status} of ${endpoint.id} that its schema lacks`).toContainEqual(body);
  expect(body.message).toEqual(expect.any(String));
  expect('errors' in body).toBe(status === 422);
};

/** Expects the properties of every response: its headers, and no leaked key or stack trace. */
const expectFrame = ({ status, headers, text }: Reply, key: string | undefined): void => {
  expect(headers.get('x-request-id')).toMatch(/^[\w.:-]{8,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
  if (status >= 400) {
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    if (!CONDITIONS.includes(status)) expect(headers.get('cache-control')).toContain('no-store');
    expect(text).not.toMatch(/node_modules|\.ts\b|\bat \S+ \(/);
  }
  if (key !== undefined) expect(text).not.toContain(key);
};

const parsedBody = (headers: Headers, text: string): unknown =>
  /^application\/(?:[\w-]+\+)?json/.test(headers.get('content-type') ?? '') && text !== ''
    ? JSON.parse(text)
    : undefined;

/** Checks a response against the rules for all responses and against its endpoint's declaration. */
export const checkedReply = (
  request: { method: string; path: string; key?: string | undefined },
  answer: { status: number; headers: Headers; text: string },
): Reply => {
  const reply = { ...answer, body: parsedBody(answer.headers, answer.text) };
  expectFrame(reply, request.key);
  const endpoint = declared(request.method, request.path.split('?')[0] as string);
  if (endpoint && reply.status < 300) expectDeclaredOutput(endpoint, reply);
  if (endpoint && reply.status >= 400) expectDeclaredRefusal(endpoint, reply);
  return reply;
};

/** Sends a request to the host that serves its path, and checks the response. */
export const send = async (mount: Mount, method: string, path: string, options: Send = {}): Promise<Reply> => {
  const { key, json, text, form, headers = {} } = options;
  const body = form ?? (json === undefined ? text : JSON.stringify(json));
  const response = await fetch(mount.urls[hostOf(path.split('?')[0] as string)] + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const { status } = response;
  return checkedReply({ method, path, key }, { status, headers: response.headers, text: await response.text() });
};

export const get = (mount: Mount, path: string, key?: string, headers?: Record<string, string>): Promise<Reply> =>
  send(mount, 'GET', path, { key, ...(headers ? { headers } : {}) });

export const post = (mount: Mount, path: string, key: string | undefined, json?: unknown): Promise<Reply> =>
  send(mount, 'POST', path, { key, json });

export const put = (mount: Mount, path: string, key: string | undefined, json?: unknown): Promise<Reply> =>
  send(mount, 'PUT', path, { key, json });
