import { writeCostsPage } from './files.ts';
import { withDynamodbLocal } from './local.ts';

/** `npm run -s costs` measures the DynamoDB cost of each endpoint and writes docs/costs.md. */
await withDynamodbLocal(async () => {
  const costs = await writeCostsPage();
  process.stdout.write(`docs/costs.md: ${costs.length} requests.\n`);
});
