/** The namespace of CloudWatch in which the functions' own metrics are. */
export const METRICS_NAMESPACE = 'AccountService';
