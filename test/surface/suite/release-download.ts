import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAppcast } from '../../support/read-appcast.ts';
import { APP, openAppShop, PAID, patchBytes, SCRIPT } from '../app-shop.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get, type Reply } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { artifactBytes } from '../shop.ts';

const path = (release: number | string, query = ''): string => `/distribution/v1/releases/${release}/download${query}`;
const refusal = ({ status, body }: Reply): unknown[] => [status, body.error];

/** Tests the download links of an appcast. The suite opens its own shop. */
export const releaseDownloadSuite = (open: OpenMount): void => {
  let mount: Mount;

  beforeAll(async () => {
    mount = await open();
    await openAppShop(mount.service);
  });
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  const fileAt = async (reply: Reply): Promise<string> => {
    expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([302, '', 'private, no-store']);
    const response = await fetch(reply.headers.get('location') as string);
    expect(response.status).toBe(200);
    return response.text();
  };

  /** Follows a link of an appcast as an updater does, without a header. */
  const follow = (url: string): Promise<Reply> => get(mount, url.replace(mount.urls.app, ''));

  const linksOf = async ({ key }: Buyer, product = PAID) =>
    readAppcast((await get(mount, `/distribution/v1/products/${product}/appcast.xml`, key)).text);

  describe('the download of a public application', () => {
    test('a public release download redirects to the file, without a key in the request or the URL', async () => {
      const reply = await get(mount, path(101));
      expect(await fileAt(reply)).toBe(artifactBytes('1.0', null));
      expect(reply.headers.get('location')).not.toContain('svc_');
    });

    test('a downloaded release file has its name and type, and supports ranges', async () => {
      const location = (await get(mount, path(101))).headers.get('location') as string;
      const part = await fetch(location, { headers: { Range: 'bytes=5-9' } });
      expect([part.status, await part.text()]).toEqual([206, artifactBytes('1.0', null).slice(5, 10)]);
      const whole = await fetch(location);
      expect(whole.headers.get('content-disposition')).toContain('App 1.0.zip');
      expect(whole.headers.get('content-type')).toBe('application/zip');
      await whole.arrayBuffer();
    });

    test('each link of an appcast leads to a file of the listed length', async () => {
      const reply = await get(mount, `/distribution/v1/products/${APP}/appcast.xml`);
      for (const { enclosure, deltas } of readAppcast(reply.text)) {
        for (const { url, length } of [enclosure, ...deltas]) {
          expect(Buffer.byteLength(await fileAt(await follow(url)))).toBe(length);
        }
      }
    });

    test('a release download gets the file of the named platform, or the named patch', async () => {
      expect(await fileAt(await get(mount, path(104, '?platform=darwin-arm64')))).toBe(
        artifactBytes('1.3d1', 'darwin-arm64'),
      );
      expect(await fileAt(await get(mount, path(102, '?delta=100')))).toBe(patchBytes('100'));
    });

    test.each([
      ['for a platform without a file', 104, '?platform=linux-amd64'],
      ['from a build without a patch', 102, '?delta=99'],
    ])('a release download %s is 404 install_not_available', async (_, release, query) => {
      expect(refusal(await get(mount, path(release, query)))).toEqual([404, 'install_not_available']);
    });

    test('a release download for an invalid platform is 422, and so is one without a platform if each has its file', async () => {
      expect((await get(mount, path(104))).body.errors.platform).toEqual([expect.stringContaining('darwin-arm64')]);
      expect((await get(mount, path(104, '?platform=amiga'))).status).toBe(422);
    });

    test('HEAD of a release download is a redirect', async () => {
      const head = await fetch(mount.urls.app + path(101), { method: 'HEAD', redirect: 'manual' });
      expect([head.status, head.headers.get('location')]).toEqual([302, expect.stringContaining('http')]);
    });
  });

  describe('the release download with a key', () => {
    test('a release download of a product that is not an application needs a key', async () => {
      expect(refusal(await get(mount, path(501, '?platform=linux-amd64')))).toEqual([401, 'missing_api_key']);
      const { key } = await aBuyer(mount.service, { product_id: SCRIPT });
      const reply = await get(mount, path(501, '?platform=linux-amd64'), key);
      expect(await fileAt(reply)).toBe(artifactBytes('1.0.0', 'linux-amd64'));
    });
  });

  describe('the release download with a ticket', () => {
    let buyer: Buyer;

    beforeAll(async () => {
      buyer = await aBuyer(mount.service, { product_id: PAID });
    });

    test('a ticket lets an updater without headers download the file and its patches', async () => {
      const [newest] = await linksOf(buyer);
      expect(await fileAt(await follow(newest?.enclosure.url as string))).toBe(artifactBytes('2.0', null));
      expect(await fileAt(await follow(newest?.deltas[0]?.url as string))).toBe(patchBytes('10'));
    });

    const ticketFor = async (release: number, who = buyer): Promise<string> => {
      const item = (await linksOf(who)).find(({ release_id }) => release_id === release);
      return new URL(item?.enclosure.url as string).searchParams.get('ticket') as string;
    };

    test('a release download of a paid application without a ticket is 401', async () => {
      expect(refusal(await get(mount, path(202)))).toEqual([401, 'missing_api_key']);
      expect(refusal(await get(mount, path(202, '?ticket=')))).toEqual([401, 'missing_api_key']);
    });

    test('a ticket for another release is 401', async () => {
      const ticket = await ticketFor(201);
      expect((await get(mount, path(201, `?ticket=${ticket}`))).status).toBe(302);
      expect(refusal(await get(mount, path(202, `?ticket=${ticket}`)))).toEqual([401, 'missing_api_key']);
    });

    test('a ticket with any character changed is 401', async () => {
      const ticket = await ticketFor(202);
      const [header, claims, signature] = ticket.split('.') as [string, string, string];
      const flip = (text: string, at: number): string =>
        text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
      for (const changed of [
        ...[0, 10, claims.length - 1].map((at) => [header, flip(claims, at), signature].join('.')),
        ...[0, 40, signature.length - 1].map((at) => [header, claims, flip(signature, at)].join('.')),
        [flip(header, 5), claims, signature].join('.'),
        [header, claims].join('.'),
        [header, claims, ''].join('.'),
        `${ticket}.`,
        `${ticket}=`,
        'nonsense',
        '..',
      ]) {
        const reply = await get(mount, path(202, `?ticket=${encodeURIComponent(changed)}`));
        expect(refusal(reply), changed).toEqual([401, 'missing_api_key']);
      }
    });

    test('a license token is refused as a ticket, because the two have different types', async () => {
      const check = await fetch(`${mount.urls.api}/api/license/check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ product_id: PAID, device_id: 'mine' }),
      });
      const { token } = (await check.json()) as { token: string };
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(refusal(await get(mount, path(202, `?ticket=${token}`)))).toEqual([401, 'missing_api_key']);
      const header = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[0] as string, 'base64url').toString());
      expect([header(token).typ, header(await ticketFor(202)).typ]).toEqual(['license+jws', 'release-ticket+jws']);
    });
  });

  describe('the download of a missing release', () => {
    test.each([
      999,
      301,
      0,
      'x',
      '01',
      '9'.repeat(17),
    ])('the download of the missing or hidden release %s is 404', async (release) => {
      const reply = await get(mount, path(release));
      expect([reply.status, reply.body]).toEqual([404, { message: 'There is no such release.' }]);
    });
  });
};
