import { readFileSync } from 'node:fs';

/**
 * `node test-counts.mjs REPORT STATUS` prints how many tests passed and failed, as `PASSED FAILED`, from vitest's JSON
 * report and exit status. A suite that failed without a failed test (it didn't load, a hook broke) counts as one
 * failure, and so does a run that ended badly or ran no test, whatever the report says.
 */
const [report, status] = process.argv.slice(2);
const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));

const broken = testResults.filter(
  (suite) => suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'),
);
const failures = numFailedTests + broken.length;
const endedBadly = status !== '0' || numPassedTests === 0;

process.stdout.write(`${numPassedTests} ${failures === 0 && endedBadly ? 1 : failures}\n`);
