import { describe, expect, test } from 'vitest';
import { Routes } from '../../adapters/host/routes.ts';

const table = new Routes([
  { method: 'GET', path: '/', entry: 'root' },
  { method: 'GET', path: '/api/products', entry: 'list' },
  { method: 'GET', path: '/api/products/new', entry: 'new' },
  { method: 'GET', path: '/api/products/{product}', entry: 'show' },
  { method: 'PUT', path: '/api/products/{product}', entry: 'save' },
  { method: 'POST', path: '/api/products/{product}/keys/{key}/end', entry: 'end' },
  { method: 'GET', path: '/api/products/{product}/content-assets/{path}', entry: 'asset' },
  { method: 'GET', path: '/downloads/{path}', entry: 'download' },
  { method: 'POST', path: '/reports', entry: 'report' },
]);

/** The entry for GET, or else POST, and the parameters; undefined if no route has the path. */
const found = (path: string) => {
  const at = table.find(path);
  return at && { entry: at.entries.get('GET') ?? at.entries.get('POST'), params: { ...at.params } };
};

describe('the route of a path', () => {
  test.each<[string, string, Record<string, string>]>([
    ['/', 'root', {}],
    ['/api/products', 'list', {}],
    ['/api/products/4', 'show', { product: '4' }],
    ['/api/products/new', 'new', {}],
    ['/api/products/newer', 'show', { product: 'newer' }],
    ['/api/products/a.b-c', 'show', { product: 'a.b-c' }],
    ['/api/products/4/keys/7/end', 'end', { product: '4', key: '7' }],
    ['/api/products/4/content-assets/hero.svg', 'asset', { product: '4', path: 'hero.svg' }],
    ['/api/products/4/content-assets/docs/a/b.md', 'asset', { product: '4', path: 'docs/a/b.md' }],
    ['/downloads/sha256/ab12/a.zip', 'download', { path: 'sha256/ab12/a.zip' }],
  ])('the path %s has the route "%s" with the parameters %j', (path, entry, params) => {
    expect(found(path)).toEqual({ entry, params });
  });

  test.each<[string, Record<string, string>]>([
    ['/api/products/%EC%84%A4%EC%B9%98', { product: '설치' }],
    ['/api/products/a%20b+c', { product: 'a b+c' }],
    ['/api/products/a%2Fb', { product: 'a/b' }],
    ['/api/products/%2525', { product: '%25' }],
    ['/api/products/4/content-assets/docs%2Fa/%62', { product: '4', path: 'docs/a/b' }],
    ['/downloads/..%2F..%2Fetc/passwd', { path: '../../etc/passwd' }],
  ])('the parameters of the path %s are percent-decoded once', (path, params) => {
    expect(found(path)?.params).toEqual(params);
  });

  test.each([
    '/api/products/%',
    '/api/products/%zz',
    '/api/products/%C3%28',
    '/api/products/%ED%A0%80',
    '/downloads/a/%E0%A4%A',
  ])('the path %s has no route, because a part of it is not percent-encoded UTF-8', (path) => {
    expect(table.find(path)).toBeUndefined();
  });

  test.each([
    ['/api/products/', 'list', {}],
    ['/api/products/4/', 'show', { product: '4' }],
    ['/reports/', 'report', {}],
    ['/downloads/sha256/', 'download', { path: 'sha256/' }],
    ['/api/products/4/content-assets/docs/', 'asset', { product: '4', path: 'docs/' }],
  ])('the trailing slash of %s is ignored except in a part that may contain slashes', (path, entry, params) => {
    expect(found(path)).toEqual({ entry, params });
  });

  test.each([
    '',
    '///',
    '/api',
    '/api/products//',
    '/api/products/4//',
    '/api//products',
    '//api/products',
    '/api/products/4/keys//end',
    '/api/products/4/keys/7/8/end',
    '/api/products/4/content-assets',
    '/api/products/4/content-assets/',
    '/downloads',
    '/downloads/',
    '/API/products',
    '/api/Products/4',
    '/api/products/New/more',
    '/api/products/4/END',
    '/xapi/products',
    'api/products',
    '/api/products?a',
    '/%61pi/products',
  ])('the path %j has no route', (path) => {
    expect(table.find(path)).toBeUndefined();
  });

  test('a dot in a route’s path matches only a dot', () => {
    const dotted = new Routes([{ method: 'GET', path: '/{name}/a.json', entry: 'a' }]);
    expect(dotted.find('/x/a.json')?.entries.get('GET')).toBe('a');
    expect(dotted.find('/x/aXjson')).toBeUndefined();
  });

  test('parameters named like Object members are plain parameters', () => {
    const odd = new Routes([{ method: 'GET', path: '/{constructor}/{toString}', entry: 'odd' }]);
    expect({ ...odd.find('/a/b')?.params }).toEqual({ constructor: 'a', toString: 'b' });
  });
});

describe('the methods of a path', () => {
  const methodsOf = (path: string) => Object.fromEntries(table.find(path)?.entries ?? []);

  test('a path allows each of its methods, and HEAD if it has GET', () => {
    expect(methodsOf('/api/products/4')).toEqual({ GET: 'show', HEAD: 'show', PUT: 'save' });
    expect(methodsOf('/api/products')).toEqual({ GET: 'list', HEAD: 'list' });
    expect(methodsOf('/downloads/a')).toEqual({ GET: 'download', HEAD: 'download' });
  });

  test('a path without GET does not allow HEAD', () => {
    expect(methodsOf('/reports')).toEqual({ POST: 'report' });
  });

  test('methods are case-sensitive', () => {
    expect(table.find('/reports')?.entries.get('post')).toBeUndefined();
  });
});
