import type { Argument, Option } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { NO_ENDPOINT } from '../../runtimes/cli/options.ts';
import { cli } from '../support/cli.ts';
import { everyCommand, isLeaf, type Named } from './every-command.ts';

/*
 * A command names the fields of its endpoint, and a name that the endpoint lacks is not sent. So every command runs
 * here against a server that refuses each request: the request must fit the endpoint, and every argument and option
 * must change it.
 */

/**
 * Commands whose first request is not the one that they are for, or that need a file first. Types check what they send.
 */
const OF_SEVERAL_CALLS = [
  ...[
    'account merge',
    'audit list',
    'grant add',
    'import',
    'key create',
    'key import',
    'key revoke',
    'key revoke-batch',
  ],
  ...['look set', 'policy set', 'publish', 'reports answer', 'reports bundle', 'restore', 'sums show'],
];

/** Options that change only what is asked, read or printed. */
const NOT_SENT = ['--json', '--yes', '--password', '--password-stdin', 'owner add --link', 'doctor --quick'].concat([
  'event replay --refused',
]);

/** The values that a command needs beside its arguments and mandatory options. */
const ALSO: Readonly<Record<string, string>> = {
  'account rename': '--name=Ann',
  'event replay': '--refused',
  'grant extend': '--device-limit=9',
  'owner change': '--name=Ann',
  'usage show': '--product=memo',
};

const ADDRESSES = ['ann@example.com', 'bob@example.com'];
const DAYS = ['2027-01-01', '2027-01-02'];
const VALUES = ['7', '8', ...ADDRESSES, ...DAYS, '2027-01-31T00:00Z', '2027-02-01T00:00Z', 'read', 'write'];
/** Values where the endpoint takes less than the command. */
const VALUES_OF: Readonly<Record<string, readonly string[]>> = {
  '--email': ADDRESSES,
  email: ADDRESSES,
  'grant transfer --to': ADDRESSES,
  '--from': DAYS,
  '--to': DAYS,
  'trial change --days': ['0', '9'],
  '--url': ['https://example.com/7', 'https://example.com/8'],
};

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a request. Throws if no endpoint of the shop host takes them. */
const fieldsOf = (url: URL, { method, body }: RequestInit): Fields => {
  for (const endpoint of allEndpoints.filter((one) => one.host === 'shop' && one.method === method)) {
    const found = new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(url.pathname);
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)] as const);
    const parts = [Object.fromEntries(params), Object.fromEntries(url.searchParams), JSON.parse(String(body ?? '{}'))];
    for (const [n, schema] of [endpoint.params, endpoint.query, endpoint.body].entries()) schema?.().parse(parts[n]);
    return Object.assign({ endpoint: endpoint.id }, ...parts);
  }
  throw new Error(`No endpoint has ${method} ${url.pathname}.`);
};

let requests: Fields[] = [];

/** Runs a command with the fields of the first request that it sends; null if it has no endpoint. */
const sent = async (words: readonly string[]): Promise<Fields | null> => {
  requests = [];
  const { stderr } = await cli(['--server', 'http://shop.test', ...words], { SHOP_TOKEN: 'token' });
  if (stderr.includes(NO_ENDPOINT)) return null;
  expect([words, stderr, requests.length > 0]).toEqual([words, 'Refused.\n', true]);
  return requests[0] as Fields;
};

type Part = Argument | Option;

const isOption = (one: Part): one is Option => 'long' in one;
const nameOf = (one: Part): string => (isOption(one) ? String(one.long) : one.name());
const takesValue = (one: Part): boolean => !isOption(one) || one.required || one.optional;

/** Two values of a part of a command. */
const valuesOf = ({ words }: Named, one: Part): readonly string[] =>
  (VALUES_OF[`${words.join(' ')} ${nameOf(one)}`] ?? VALUES_OF[nameOf(one)] ?? one.argChoices ?? VALUES)
    .filter((text) => {
      try {
        one.parseArg?.(text, undefined as never);
        return true;
      } catch {
        return false;
      }
    })
    .slice(0, 2);

/** A call with what the command needs, and with one part in addition or with its second value. */
const callOf = (named: Named, changed?: Part): string[] => {
  const { words, command } = named;
  const value = (one: Part) => valuesOf(named, one)[one === changed ? 1 : 0] as string;
  const also = ALSO[words.join(' ')];
  const replaced = changed && ((!isOption(changed) && !changed.required) || also?.startsWith(nameOf(changed)));
  return [
    ...words,
    ...command.registeredArguments.filter((one) => one.required || one === changed).map(value),
    ...command.options
      .filter((one) => one.mandatory || one === changed)
      .map((one) => (takesValue(one) ? `${one.long}=${value(one)}` : String(one.long))),
    ...(also === undefined || replaced ? [] : [also]),
  ];
};

const asks = ({ command }: Named): boolean => command.options.some(({ long }) => long === '--yes');

const leaves = (await everyCommand())
  .filter((named) => isLeaf(named) && !OF_SEVERAL_CALLS.includes(named.words.join(' ')))
  .map((named) => [named.words.join(' '), named] as const);

beforeAll(() => {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push(fieldsOf(new URL(url), init));
    return Response.json({ error: 'refused', message: 'Refused.' }, { status: 400 });
  });
});
afterAll(() => vi.unstubAllGlobals());

describe('the arguments and options of a command', () => {
  test.each(leaves)('those of %s reach its endpoint', async (name, named) => {
    const { registeredArguments, options } = named.command;
    const call = async (changed?: Part) => sent([...callOf(named, changed), ...(asks(named) ? ['--yes'] : [])]);
    const before = await call();
    if (before === null) return;
    const parts = [...registeredArguments, ...options].filter(
      (one) => ![nameOf(one), `${name} ${nameOf(one)}`].some((all) => NOT_SENT.includes(all)),
    );
    for (const one of parts) {
      const after = await call(one);
      if (nameOf(one) === '--dry-run') expect(after).toMatchObject({ trial: true });
      else expect({ [nameOf(one)]: after }).not.toEqual({ [nameOf(one)]: before });
    }
  });

  test.each(
    leaves.filter(([, named]) => asks(named)),
  )('%s sends at most a trial before it is confirmed', async (_, named) => {
    requests = [];
    await cli(['--server', 'http://shop.test', ...callOf(named)], { SHOP_TOKEN: 'token' });
    expect(requests.map(({ trial }) => trial)).toEqual(requests.map(() => true));
  });
});
