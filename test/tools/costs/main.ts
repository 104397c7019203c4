import { nameOf } from './cases.ts';
import { dollarsPerMillion, together } from './dollars.ts';
import { withDynamodbLocal } from './local.ts';
import { measureCosts } from './measure.ts';

/** `npm run -s costs [-- --json]` measures the DynamoDB cost of each endpoint on DynamoDB Local. */
await withDynamodbLocal(async () => {
  const rows = (await measureCosts()).map((cost) => {
    const { rounds, calls, readUnits, writeUnits } = cost;
    const dollars = Math.round(together(dollarsPerMillion(cost)) * 100) / 100;
    return { request: nameOf(cost), rounds, calls, readUnits, writeUnits, dollars };
  });
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ costs: rows })}\n`);
  else console.table(rows);
});
