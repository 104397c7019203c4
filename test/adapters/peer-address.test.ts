import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import express from 'express';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchHandler } from '../../adapters/fetch/fetch-handler.ts';
import { createHost, type HostFunction } from '../../adapters/host/host.ts';
import { peerAddress } from '../../adapters/host/peer-address.ts';
import { jsonReply } from '../../adapters/host/reply.ts';
import { addressBehind, expressRouter, nodeListener } from '../../adapters/http/node-requests.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { anEvent } from '../lambda/an-event.ts';
import { type Listening, listen } from '../support/download-server.ts';

describe('the IP address of a peer', () => {
  test.each<readonly [string, string | undefined]>([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:40001', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:0DB8:0:0::0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[0:0:0:0:0:ffff:203.0.113.7]:80', '203.0.113.7'],
    ...[
      '',
      'unknown',
      '_hidden:80',
      'localhost',
      '203.0.113.7:',
      '203.0.113.7:port',
      '203.0.113.7:123456',
      '203.0.113.7:80:80',
      '203.0.113',
      '203.0.113.07',
      '0xcb.0.113.7',
      '3405803783',
      '[203.0.113.7]:80',
      '[2001:db8::1',
      '2001:db8::1]:443',
      '[[2001:db8::1]]',
      '2001:db8:1:2:3:4:5:6:443',
      '203.0.113.7, 203.0.113.8',
      `fe80::1%${'x'.repeat(200)}`,
    ].map((text) => [text, undefined] as const),
  ])('the text %j is the IP address %j', (text, address) => {
    expect(peerAddress(text)).toBe(address);
  });

  const port = fc.nat(65_535);
  const ipv6 = fc.ipV6();

  test('an IP address is the same with any port, bracket and zone', () => {
    fc.assert(
      fc.property(fc.ipV4(), ipv6, port, fc.stringMatching(/^[\w.]{1,15}$/), (ipv4, six, at, zone) => {
        const own = peerAddress(six);
        expect(own).toBeDefined();
        expect([ipv4, `${ipv4}:${at}`, `::ffff:${ipv4}`, `[::ffff:${ipv4}]:${at}`].map(peerAddress)).toEqual(
          Array(4).fill(ipv4),
        );
        expect([`[${six}]`, `[${six}]:${at}`, `${six}%${zone}`, `[${six}%${zone}]:${at}`].map(peerAddress)).toEqual(
          Array(4).fill(own),
        );
      }),
    );
  });

  test('every other text is not an IP address, so nobody is counted under an invalid name', () => {
    const junk = fc.string({ unit: fc.constantFrom(...'0123456789abcdefx.:[]%, _-'), maxLength: 60 });
    fc.assert(
      fc.property(fc.oneof(junk, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        const address = peerAddress(text);
        if (address === undefined) return;
        expect(isIP(address)).toBeGreaterThan(0);
        expect(peerAddress(address)).toBe(address);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the client of a request', () => {
  let server: Listening | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** A host that answers with the address that its mount reports. */
  const host: HostFunction = createHost(
    [{ method: 'GET', path: '/it', entry: ({ address }) => jsonReply(200, { address: address() }) }],
    { log: () => {}, fault: () => {}, health: async () => {} },
  );
  const seenBy = async (listener: RequestListener, forwarded: string): Promise<unknown> => {
    server = await listen(listener);
    const response = await fetch(`${server.url}/it`, { headers: { 'x-forwarded-for': forwarded } });
    return ((await response.json()) as { address: string }).address;
  };

  const mounts: Record<string, (hops: readonly string[]) => RequestListener> = {
    'a server of Node': (hops) => nodeListener(host, addressBehind(hops)),
    Express: (hops) => express().set('trust proxy', hops).use(expressRouter(host)),
  };

  describe.each(Object.entries(mounts))('the client on %s', (_name, mount) => {
    test.each([
      ['203.0.113.7', '203.0.113.7'],
      ['203.0.113.7:40001', '203.0.113.7'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['198.51.100.1, 203.0.113.7:40001', '203.0.113.7'],
      ['203.0.113.7:40001,\t10.0.0.5:61000,, [::1]:80', '203.0.113.7'],
      ['unknown', '127.0.0.1'],
      ['203.0.113.7, junk', '127.0.0.1'],
      ['203.0.113.7:1, unknown, 10.0.0.5:2', '10.0.0.5'],
      ['', '127.0.0.1'],
    ])('behind trusted proxies X-Forwarded-For %j names the client %j', async (forwarded, client) => {
      expect(await seenBy(mount(['loopback', '10.0.0.0/8']), forwarded)).toBe(client);
    });

    test('an untrusted proxy’s header is ignored', async () => {
      expect(await seenBy(mount(['10.0.0.0/8']), '203.0.113.7:40001')).toBe('127.0.0.1');
    });
  });

  test.each([
    ['203.0.113.7:40001', '203.0.113.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['who', ''],
  ])('a function and a fetch handler with %j count %j', async (given, client) => {
    const event = anEvent({ httpMethod: 'GET', path: '/it' });
    const requestContext = { identity: { sourceIp: given } } as APIGatewayProxyEvent['requestContext'];
    const result = await buffered(host)({ ...event, requestContext });
    expect(JSON.parse(result.body)).toEqual({ address: client });
    const response = await fetchHandler(host, () => given)(new Request('http://a/it'));
    expect(await response.json()).toEqual({ address: client });
  });
});
