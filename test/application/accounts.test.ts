import { describe, expect, test } from 'vitest';
import { memoryService } from '../support/service.ts';

describe('accounts of the operator', () => {
  test('are listed as they were added, each address once whatever its case', async () => {
    const service = memoryService();
    const add = (email: string) => service.get('addAccount').execute({ email, name: null, password: null });
    const first = await add('a@example.com');
    await add('b@example.com');
    expect(await add('A@Example.com')).toMatchObject({ ok: false, code: 'email_taken' });
    const accounts = await service.get('listAccounts').execute();
    expect(accounts.map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com']);
    expect(first).toEqual({ ok: true, value: accounts[0] });
  });

  test('keep a password as its hash', async () => {
    const service = memoryService({ passwords: { hash: async () => 'hashed', verify: async () => true } });
    await service.get('addAccount').execute({ email: 'a@example.com', name: 'Ann', password: 'long-enough' });
    expect(await service.get('accounts').findByEmail('a@example.com')).toMatchObject({ password_hash: 'hashed' });
  });
});
