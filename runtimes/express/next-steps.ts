import type { Shop } from './shop.ts';

/** Commands and what each is for, in aligned columns. */
const lines = (commands: readonly (readonly [command: string, use: string])[]): string => {
  const width = Math.max(...commands.map(([command]) => command.length));
  return commands.map(([command, use]) => `  ${command.padEnd(width)}  # ${use}`).join('\n');
};

/** The text for an empty store, which is not the sample store's place or waits for a shop of its own. */
export const emptyAdvice = (cli: string, place: string): string => `
This store is empty: ${place} has no products and no accounts. If that is a surprise, look for a mistake in its name.
Otherwise fill the store:

${lines([
  [`${cli} import my-store.json`, 'your products; import --schema prints the form of the document'],
  [`${cli} account add --email buyer@example.com --password`, 'an account, whose password it asks for'],
  [`${cli} grant --account ID --product PRODUCT`, 'gives the account a product'],
  [`${cli} key create --account ID --name laptop`, 'a key, which is shown once'],
  [`${cli} doctor`, 'names everything that is still missing'],
])}

SAMPLE_STORE=always loads the sample store instead.
`;

/** The text for a store with data. Its commands name an account and a product that are there. */
export const filledAdvice = (cli: string, { accountId, product, isSample }: Shop): string => {
  const account = accountId ?? 'ID';
  const missing =
    product === null
      ? [[`${cli} import my-store.json`, 'your products, for the store has none yet'] as const]
      : accountId === null
        ? [
            [
              `${cli} account add --email buyer@example.com --password`,
              'an account, for the store has none yet',
            ] as const,
            [`${cli} grant --account ID --product ${product}`, 'gives the account a product'] as const,
          ]
        : [];
  const first = isSample
    ? `This is the sample store of an earlier start; account ${account} is its demo account.`
    : 'This store has data already.';
  return `
${first} A key is shown only when it is created. Next:

${lines([
  ...missing,
  ...(accountId === null ? [] : [[`${cli} account list`, 'the accounts'] as const]),
  [`${cli} key create --account ${account} --name mine`, 'a key; --help lists the abilities to give it'],
])}
`;
};
