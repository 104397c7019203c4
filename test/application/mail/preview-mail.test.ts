import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { MESSAGE_KINDS } from '../../../domain/mail/message.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { anAccount } from '../../support/account-builders.ts';
import { put } from '../../support/contents.ts';
import { aMailer, MAILING, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { A_STOREFRONT } from '../../support/public-builders.ts';
import { memoryService } from '../../support/service.ts';

const LOGO = 'data:image/png;base64,iVBORw0KGgo=';

const aShop = async (settings: object = MAILING) => {
  const mailer = aMailer();
  const service = memoryService({ mailer }, memoryEngines(), settings);
  await put(service, { accounts: [anAccount()], storefront: { ...A_STOREFRONT, name: 'Quiet Desk', logo_url: LOGO } });
  return { service, mailer };
};

test.each(
  LANGUAGES,
)('each message has an example in %s with the proposed storefront, and nothing is stored', async (language) => {
  const { service } = await aShop();
  const face = { name: 'Loud <Desk>', accent: '#0f6b5c' };
  for (const kind of MESSAGE_KINDS) {
    const mail = await service.get('previewMail')({ kind, language, face });
    expect(mail).toMatchObject({ language, from_name: 'Loud <Desk>', subject: expect.stringMatching(/\S/) });
    expect(mail.html).toContain('Loud &#60;Desk&#62;');
    expect(mail.html).toContain('background:#0f6b5c');
    expect(mail.html).toMatch(/<img src="https?:\/\/[^"]+\/assets\/logo"/);
    expect(mail.html).not.toContain('data:');
  }
  expect(await service.get('showStorefront')()).toMatchObject({ name: 'Quiet Desk' });
  expect(await service.get('messages').waiting(9)).toEqual([]);
});

test('a test mail goes to the requesting account and equals the previewed example', async () => {
  const { service, mailer } = await aShop();
  const input = { kind: 'order', language: 'ko' } as const;
  const { to } = await service.get('sendTestMail')(grantPermit(), { ...input, account_id: 1 });
  expect(await sendAll(service)).toEqual(['sent']);
  const { language: _, ...preview } = await service.get('previewMail')({ ...input, face: {} });
  const { text: _text, html: _html, ...shown } = preview;
  expect(mailer.sent).toMatchObject([{ ...shown, to }]);
});

test.each([
  ['no_mail', {}, 1],
  ['no_address', MAILING, null],
])('no test mail is queued if there is none: %s', async (result, settings, account_id) => {
  const { service } = await aShop(settings);
  const asked = { kind: 'order', language: null, account_id } as const;
  expect(await service.get('sendTestMail')(grantPermit(), asked)).toEqual({ result, to: null });
  expect(await service.get('messages').waiting(9)).toEqual([]);
});
