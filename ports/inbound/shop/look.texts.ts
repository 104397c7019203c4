import { inGroup } from '../documented.ts';

const company = {
  company_name: 'Example Ltd.',
  representative_name: '',
  business_registration_number: '',
  mail_order_registration_number: '',
  address: '1 Example Street, London',
  phone: '',
  email: 'hello@example.com',
  website: 'https://example.com',
  ftc_biz_info_url: '',
};

export const shopLookTexts = inGroup('Shop', {
  previewMail: {
    summary: 'Preview a message to buyers',
    description:
      'A message as buyers get it, with the facts of an example, by the shop’s face or by a proposed one. Nothing is saved or sent.',
    tool: { description: 'Shows how a message to buyers looks, also before a change of the shop’s face.' },
  },
  sendTestMail: {
    summary: 'Send a test mail',
    description: 'Sends an example of a message to the member of the shop who asks for it. A token has no address.',
    bodyExample: { kind: 'order' },
  },
  showShopDisclosure: {
    summary: 'Show the disclosure',
    description: 'The facts about the seller, from which the imprint is made.',
    tool: { description: 'Who sells: company, address and registrations, in Korean and English.' },
  },
  setDisclosure: {
    summary: 'Set the disclosure',
    description: 'Replaces the facts about the seller in both languages. Empty fields are not shown.',
    tool: { description: 'The law decides what must be disclosed; ask the person for each fact.' },
    bodyExample: { ko: company, en: company },
  },
});
