import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import type { Passwords } from '../../../ports/outbound/accounts.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { plainPasswords } from '../../support/sign-in.ts';
import { accountEntry, importInto } from '../../support/store-folder.ts';

const permit = grantPermit();

/** Hashes in the form of an export. */
const hashOf = (letter: string) => `scrypt$16384$8$1$${letter.repeat(22)}$${letter.repeat(43)}`;

let service: Service;
let whileHashing: () => Promise<void>;
let warned: string[];

const load = (account: object) =>
  importInto(
    service,
    '/nowhere',
    { accounts: [accountEntry({ id: 1, ...account })] },
    {
      warned: (warnings: readonly Fault[]) => {
        warned = warnings.map(({ path, message }) => `${path}: ${message}`);
      },
    },
  );

const stored = () => service.get('accounts').get(1);

/** Another writer changes the account. */
const change = async (password_hash: string): Promise<void> => {
  const read = await stored();
  if (!read) throw new Error('The account is there.');
  await service.get('accounts').revise(permit, read, { ...read, password_hash }, []);
};

beforeEach(() => {
  whileHashing = async () => {};
  warned = [];
  const { passwords } = plainPasswords();
  const slow: Passwords = {
    ...passwords,
    hash: async (password) => {
      await whileHashing();
      return passwords.hash(password);
    },
  };
  service = memoryService({ passwords: slow });
});

describe('the import of a password', () => {
  test('a password that the buyer sets while the document’s is hashed stays', async () => {
    done(await load({}));
    whileHashing = () => change('plain:of the buyer');
    done(await load({ password: 'of the document', name: 'Ann' }));
    expect(await stored()).toMatchObject({ name: 'Ann', password_hash: 'plain:of the buyer' });
  });

  test('an imported password does not replace a newer one, and causes a warning', async () => {
    done(await load({ password: 'of the document' }));
    done(await load({ password: 'of the document' }));
    expect([(await stored())?.password_hash, warned]).toEqual(['plain:of the document', []]);
    await change('plain:of the buyer');
    expect(done(await load({ password: 'of the document' }))).toMatchObject({ accounts: { unchanged: 1 } });
    expect((await stored())?.password_hash).toBe('plain:of the buyer');
    expect(warned).toEqual([
      'accounts: 1 account has another password than the document and keeps it; "account password --account ID" sets a new one',
    ]);
  });

  test('an older export does not restore an old password, and causes a warning', async () => {
    done(await load({ password_hash: hashOf('A') }));
    expect([(await stored())?.password_hash, warned]).toEqual([hashOf('A'), []]);
    await change(hashOf('B'));
    expect(done(await load({ password_hash: hashOf('A') }))).toMatchObject({ accounts: { unchanged: 1 } });
    expect((await stored())?.password_hash).toBe(hashOf('B'));
    expect(warned).toEqual([
      'accounts: 1 account has another password than the document and keeps it; "account password --account ID" sets a new one',
    ]);
  });

  test('an account without a password gets the exported one', async () => {
    done(await load({}));
    done(await load({ password_hash: hashOf('A') }));
    expect([(await stored())?.password_hash, warned]).toEqual([hashOf('A'), []]);
  });
});
