import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_HTML_BYTES, MAX_IMAGE_BYTES } from '../../../domain/design/collect/capture.ts';
import { designObjectKey } from '../../../domain/shared/stored-file.ts';
import { anAgent } from '../agents.ts';
import { aCaptureKey, aPng, captureFields, RUNS, sha256Of, uploadForm } from '../captures.ts';
import { send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { aRun } from '../runs.ts';

type Upload = { readonly url: string; readonly headers: Record<string, string>; readonly expires_at: string };

/** Files of captures that arrive by signed uploads, outside the form. */
export const largeCapturesSuite = (mount: () => Mount): void => {
  let agent: { readonly id: number; readonly key: string };
  let run: number;

  beforeAll(async () => {
    agent = await anAgent(mount().service, 'collect', 'collector of large pages');
  });
  beforeEach(async () => {
    run = await aRun(mount().service, agent.id);
  });

  const capture = (fields: Record<string, string>, files: Record<string, Uint8Array> = {}) =>
    send(mount(), 'POST', `${RUNS}/${run}/captures`, {
      key: agent.key,
      form: uploadForm(captureFields(fields), files),
    });
  const told = (part: string, bytes: Uint8Array) => ({
    [`${part}_sha256`]: sha256Of(bytes),
    [`${part}_size`]: String(bytes.length),
  });
  const put = async ({ url, headers }: Upload, bytes: Uint8Array): Promise<number> => {
    const response = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
    await response.body?.cancel();
    return response.status;
  };
  const newImage = (bytes = 5000): Buffer => Buffer.concat([aPng(), randomBytes(bytes)]);

  test('an announced file gets an upload URL that needs no token', async () => {
    const [image, html] = [newImage(), randomBytes(3000)];
    const { status, body } = await capture({ ...told('image', image), ...told('html', html) });
    expect(status).toBe(201);
    expect(body.capture.image).toEqual({
      sha256: sha256Of(image),
      size: image.length,
      type: null,
      width: null,
      height: null,
    });
    expect(body.capture.html).toEqual({ sha256: sha256Of(html), size: 3000 });
    expect(JSON.stringify(body.uploads)).not.toContain(agent.key);
    const left = Date.parse(body.uploads.image.expires_at) - Date.now();
    expect(left).toBeGreaterThan(14 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000);
    expect([200, 201]).toContain(await put(body.uploads.image, image));
    expect([200, 201]).toContain(await put(body.uploads.html, html));
    const objects = mount().service.get('objects');
    for (const bytes of [image, html]) {
      expect(await objects.stat(designObjectKey(sha256Of(bytes)))).toMatchObject({ size: bytes.length });
    }
  });

  test('an announced file that is already stored needs no upload', async () => {
    const image = newImage();
    const { body: first } = await capture(told('image', image));
    await put(first.uploads.image, image);
    const { body } = await capture({ key: aCaptureKey(2), ...told('image', image) });
    expect(body.uploads).toBeNull();
    expect(body.capture.image).toMatchObject({ sha256: sha256Of(image) });
  });

  test('one file can be sent while the other is announced', async () => {
    const html = randomBytes(100);
    const { status, body } = await capture(told('html', html), { image: aPng() });
    expect([status, body.capture.image.type, Object.keys(body.uploads)]).toEqual([201, 'image/png', ['html']]);
  });

  test('an upload of other bytes is refused, and the announcement stays open', async () => {
    const image = newImage();
    const { body } = await capture(told('image', image));
    expect([400, 422]).toContain(await put(body.uploads.image, randomBytes(image.length)));
    expect(
      await mount()
        .service.get('objects')
        .stat(designObjectKey(sha256Of(image))),
    ).toBeUndefined();
    expect([200, 201]).toContain(await put(body.uploads.image, image));
  });

  test('captures with and without an announcement replace each other under one key', async () => {
    const image = newImage();
    await capture(told('image', image));
    const { body } = await capture({}, { image: aPng() });
    expect([body.replaced, body.uploads, body.capture.image.type]).toEqual([true, null, 'image/png']);
  });

  describe('a refused announcement', () => {
    const sum = 'a'.repeat(64);

    test.each([
      ['a sum without a size', { image_sha256: sum }, 'image_size'],
      ['a size without a sum', { html_size: '10' }, 'html_sha256'],
      ['a sum in capitals', { image_sha256: 'A'.repeat(64), image_size: '10' }, 'image_sha256'],
      ['a size of no bytes', { image_sha256: sum, image_size: '0' }, 'image_size'],
      ['an image that is too large', { image_sha256: sum, image_size: String(MAX_IMAGE_BYTES + 1) }, 'image_size'],
      ['markup that is too large', { html_sha256: sum, html_size: String(MAX_HTML_BYTES + 1) }, 'html_size'],
    ])('an announcement with %s is 422', async (_, fields, field) => {
      const { status, body } = await capture(fields);
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    });

    test('an announcement with another checksum than the sent file’s is 422', async () => {
      const { status, body } = await capture({ image_sha256: sum, image_size: '10' }, { image: aPng() });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['image_sha256']]);
    });
  });
};
