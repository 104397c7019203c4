import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FUNCTIONS, type FunctionName } from '../../infra/bundles/functions.ts';
import { BACKGROUND, routesOf, type ServedHost } from '../../infra/routes.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { LambdaMount } from '../lambda/lambda-mount.ts';
import { mailSuite } from '../lambda/mail-suite.ts';
import { replaySuite } from '../lambda/replay-suite.ts';
import { matchResource } from '../lambda/resources.ts';
import { everyEngineSuite, everyRightSuite } from '../surface/every-suite.ts';
import { openShop } from '../surface/shop.ts';
import { accountWalk } from './guard/account-walk.ts';
import { endpointsWalk } from './guard/endpoints-walk.ts';
import { type GuardedFunctions, openGuardedFunctions } from './guard/guarded-functions.ts';
import { secondReplay } from './guard/second-replay.ts';
import { toolsWalk } from './guard/tools-walk.ts';
import { unusedRights } from './guard/uses.ts';
import { s3DownloadsSuite } from './support/s3-downloads.ts';

/** The port of the identity provider. It listens only during its own test. */
const UPSTREAM_PORT = 39_217;

let functions: GuardedFunctions;
beforeAll(async () => {
  functions = await openGuardedFunctions(UPSTREAM_PORT);
}, 600_000);
afterAll(() => functions.close());

/**
 * Every call of the functions is checked against the policies of the synthesized stack, so a missing permission fails a
 * suite.
 */
describe('the functions under their own policies', () => {
  describe('the black-box suites', () => {
    // Each endpoint answers a good request below, so the other suites find a missing permission rarely.
    const suites = process.env['NIGHTLY'] ? everyEngineSuite : everyRightSuite;
    suites((settings) => functions.open(settings), { downloads: s3DownloadsSuite, streams: false });
  });

  describe('the worker', () => {
    replaySuite(() => functions.open());
  });

  describe('the sender of mail', () => {
    mailSuite((settings) => functions.open(settings));
  });

  describe('rights that no suite of the hosts uses', () => {
    let mount: LambdaMount;
    beforeAll(async () => {
      mount = await functions.open();
      await openShop(mount.service);
    });
    afterAll(async () => {
      await mount.close();
      expect(mount.faults).toEqual([]);
    });

    accountWalk(() => mount, UPSTREAM_PORT);
    toolsWalk(() => mount);
    endpointsWalk(() => mount);
    secondReplay(() => mount);
  });

  describe('the record of all calls', () => {
    test.each(FUNCTIONS)('the function %s made no call that its policy refuses', (name) => {
      expect([...functions.guards[name].refused.values()]).toEqual([]);
    });

    test.each(FUNCTIONS)('the function %s used each of its rights on the table', (name) => {
      expect(unusedRights(name, functions.guards[name])).toEqual([]);
    });

    test.each(
      allEndpoints.map((endpoint) => [endpoint.id, endpoint] as const),
    )('the endpoint %s was answered successfully by its own function', (id, { host, path }) => {
      const to = matchResource(routesOf(host as ServedHost), path)?.to;
      const answered = functions
        .requestLines()
        .filter(({ endpoint, status_class }) => endpoint === id && /^[23]xx$/.test(String(status_class)));
      expect(answered.map((line) => line['function'])).toContain(to);
    });

    test('each function that answers requests answered some', () => {
      const answering = new Set(functions.requestLines().map((line) => line['function'] as FunctionName));
      expect(FUNCTIONS.filter((name) => !answering.has(name))).toEqual(BACKGROUND);
    });
  });
});
