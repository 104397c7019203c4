import type { Shop } from './shop.ts';

/** A command, and what it is for. */
type Step = readonly [command: string, use: string];

/** Commands, each below a comment that says what it is for. */
const lines = (steps: readonly Step[]): string => steps.map(([command, use]) => `  # ${use}\n  ${command}`).join('\n');

/** The text for an empty store: its name may be mistyped, or it waits for a shop. */
export const emptyAdvice = (cli: string, place: string): string => `
This store is empty: ${place} has no products and no accounts.
If that is a surprise, look for a mistake in its name. Otherwise fill the store:

${lines([
  [`${cli} import my-store.json`, 'your products; import --schema prints the form of the document'],
  [`${cli} account add --email buyer@example.com --password`, 'an account; asks for its password'],
  [`${cli} grant --account ID --product PRODUCT`, 'gives the account a product'],
  [`${cli} key create --account ID --name laptop`, 'a key, which is shown once'],
  [`${cli} doctor`, 'lists everything that is still missing'],
])}

SAMPLE_STORE=always loads the sample store instead.
`;

/** The commands that add what the store has none of. */
const firstSteps = (cli: string, { accountId, product }: Shop): readonly Step[] => {
  if (product === null) return [[`${cli} import my-store.json`, 'your products; the store has none yet']];
  if (accountId !== null) return [[`${cli} account list`, 'the accounts']];
  return [
    [`${cli} account add --email buyer@example.com --password`, 'an account; the store has none yet'],
    [`${cli} grant --account ID --product ${product}`, 'gives the account a product'],
  ];
};

/** The text for a store with data. Its commands name an account and a product that are there. */
export const filledAdvice = (cli: string, shop: Shop): string => {
  const account = shop.accountId ?? 'ID';
  const found = shop.isSample
    ? `This is the sample store of an earlier start; account ${account} is its demo account.`
    : 'This store has data already.';
  return `
${found} A key is shown only when it is created. Next:

${lines([
  ...firstSteps(cli, shop),
  [`${cli} key create --account ${account} --name mine`, 'a key; --help lists the abilities to give it'],
])}
`;
};
