import { inGroup } from '../documented.ts';

export const shopKeysTexts = inGroup('Shop', {
  listKeyBatches: {
    summary: 'List batches of license keys',
    description: 'The batches with the numbers of their unused, claimed and revoked keys, newest first.',
    tool: { description: 'The license keys that were made in advance, by batch, and how many are used.' },
  },
  createKeyBatch: {
    summary: 'Create license keys in advance',
    description:
      'The keys belong to nobody until their first use: an application sends one, or a person redeems it. The days of the license count from then. Only hashes are stored.',
    tool: { description: 'The answer has the values of the keys, once. Give them to nobody but the person who asked.' },
    bodyExample: { product: 'hashcheck', count: 3, name: 'Reviewers', updates_days: 365 },
  },
  revokeKeyBatch: {
    summary: 'Revoke a batch of license keys',
    description:
      'Unused keys end with the next request. With `claimed`, up to 200 keys in use end too, with the licenses that they brought; call again while `claims` is not empty.',
    tool: { description: 'Show the person which keys are in use, by a trial, before their licenses are revoked too.' },
    bodyExample: { claimed: false, trial: true },
  },
});
