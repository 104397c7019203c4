/** The stage variable by which the legacy host's API in API Gateway makes itself known to the functions. */
export const LEGACY_VARIABLE = 'legacy';
