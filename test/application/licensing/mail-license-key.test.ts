import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anEntitlement, aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aMailer, MAILING, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';

const NOTES = aProduct({ id: 4, name: { en: 'Notes', ko: '노트' }, license_keys: true });
const input = { account_id: 1, product_id: 4, keep: true };

test('a license key is mailed with its value once, and otherwise named by its beginning', async () => {
  const mailer = aMailer();
  const service = memoryService({ mailer }, memoryEngines(), MAILING);
  await put(service, { accounts: [anAccount()], products: [NOTES], entitlements: [anEntitlement({ product_id: 4 })] });
  const mail = async () =>
    done((await service.get('mailLicenseKey')?.(grantPermit(), input)) ?? { ok: false, code: 'off' });
  await mail();
  await mail();
  await sendAll(service);
  const [first, second, ...more] = mailer.sent;
  const [value = ''] = /lic_\w{49}/.exec(first?.text ?? '') ?? [];
  expect([first?.subject, more]).toEqual(['Your license key for Notes', []]);
  expect(done(await service.get('authenticate')(value))).toMatchObject({ product_id: 4 });
  expect(second?.text).toContain(`${value.slice(0, 8)}`);
  expect(second?.text).not.toContain(value);
});

test('an account that a license key opened gets no sign-in link and no mail', async () => {
  const service = memoryService({}, memoryEngines(), MAILING);
  const { get } = service;
  await put(service, { products: [NOTES] });
  const terms = { product_id: 4, access_days: null, updates_days: null, device_limit: null };
  const { keys } = done(await get('createKeyBatch')(grantPermit(), { ...terms, name: 'One', count: 1 }));
  const { account_id } = done(await get('authenticate')(keys[0] ?? '', false, grantPermit()));
  const refused = { code: 'account_without_person', message: expect.stringContaining('redeems the key') };
  expect(await get('mailLicenseKey')?.(grantPermit(), { ...input, account_id })).toMatchObject(refused);
  expect(await get('mailSignInLink')?.(grantPermit(), account_id)).toMatchObject(refused);
  expect(await get('createSignInLink')(grantPermit(), account_id)).toMatchObject(refused);
});

test('a license key for an ineligible account is refused before its mail, and every key if the shop sends no mail', async () => {
  const service = memoryService({}, memoryEngines(), MAILING);
  await put(service, { accounts: [anAccount()], products: [NOTES] });
  expect(await service.get('mailLicenseKey')?.(grantPermit(), input)).toMatchObject({ code: 'license_key_not_found' });
  expect(memoryService().get('mailLicenseKey')).toBeNull();
});
