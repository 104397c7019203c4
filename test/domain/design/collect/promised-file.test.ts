import { describe, expect, test } from 'vitest';
import { judgePromise, promisedImage } from '../../../../domain/design/collect/capture.ts';

const FILE = { sha256: 'a'.repeat(64), size: 10 };
const NOTHING = { sha256: null, size: null };

describe('a file that a collector announces', () => {
  test('a checksum and a size announce a file that was not uploaded', () => {
    expect(judgePromise('image', FILE, null)).toEqual({ ok: true, value: FILE });
  });

  test('a capture without a file announces none', () => {
    expect(judgePromise('image', NOTHING, null)).toEqual({ ok: true, value: null });
  });

  test.each([
    ['nothing told', NOTHING],
    ['its own sum told', FILE],
    ['its sum told without a size', { ...FILE, size: null }],
    ['a size alone told', { ...NOTHING, size: 10 }],
  ])('a file uploaded with %s is not an announcement', (_, told) => {
    expect(judgePromise('html', told, FILE)).toEqual({ ok: true, value: null });
  });

  test.each([
    ['a sum without a size', { ...FILE, size: null }, null, 'html_size'],
    ['a size without a sum', { ...FILE, sha256: null }, null, 'html_sha256'],
    ['the sum of another file', { ...FILE, sha256: 'b'.repeat(64) }, FILE, 'html_sha256'],
  ])('an announcement with %s is refused and names its field', (_, told, sent, field) => {
    expect(judgePromise('html', told, sent)).toMatchObject({
      ok: false,
      code: 'validation_failed',
      data: { errors: { [field]: [expect.stringContaining(field)] } },
    });
  });

  test('an announced image has no type and no dimensions', () => {
    expect(promisedImage(FILE)).toEqual({ ...FILE, type: null, width: null, height: null });
  });
});
