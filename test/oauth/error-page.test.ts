import { expect, it } from 'vitest';
import { anAuthorizationServer, authorizeUrl } from './support.ts';

it('an error page is in the language chosen on the pages, or else the browser’s', async () => {
  const server = await anAuthorizationServer();
  const languageOf = async (headers: Record<string, string>) => {
    const { text } = await server.send(authorizeUrl({ client_id: 'unknown' }), { headers });
    return /<html lang="(\w+)"/.exec(text)?.[1];
  };
  const chosen = { cookie: '__Host-account-language=ko' };
  expect(await languageOf({ ...chosen, 'accept-language': 'en-GB' })).toBe('ko');
  expect(await languageOf({ 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' })).toBe('ko');
  expect(await languageOf({})).toBe('en');
});
