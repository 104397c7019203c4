import { previewMail, sendTestMail } from '../../../../application/mail/preview-mail.ts';
import { setDisclosure, showShopDisclosure } from '../../../../application/store-document/edit-catalog.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as shopLook from '../../../../ports/inbound/shop/look.ts';
import { handling } from '../handling.ts';
import { present, write } from './answers.ts';

/** The look of the shop for buyers, on its pages and in its messages. */
export const shopLookHandlers = handling(
  shopLook,
  { previewMail, sendTestMail, showShopDisclosure, setDisclosure },
  (use) => ({
    previewMail: async ({ query: { kind, language, ...face } }) =>
      ok(await use.previewMail({ kind, language, face: present(face) })),
    sendTestMail: async ({ body, caller }) =>
      write(async (permit) =>
        ok(
          await use.sendTestMail(permit, { ...body, account_id: caller.kind === 'member' ? caller.account_id : null }),
        ),
      ),
    showShopDisclosure: async () => ok(await use.showShopDisclosure()),
    setDisclosure: async ({ body }) => write(async (permit) => ok(await use.setDisclosure(permit, body))),
  }),
);
