import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Waf } from '../options/waf.ts';

/** Seconds. WAF counts the requests of each address in a window that ends now. */
const WINDOW = 300;

/**
 * The rules of a web ACL, in either scope: one that blocks each address that has sent more than the rate. Nothing looks
 * into bodies, because the application checks every field of them itself.
 */
export const wafRules = ({ rate }: Waf): CfnWebACL.RuleProperty[] => [
  {
    name: 'rate-by-address',
    priority: 0,
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: WINDOW, limit: rate } },
    visibilityConfig: { cloudWatchMetricsEnabled: true, metricName: 'rate-by-address', sampledRequestsEnabled: false },
  },
];
