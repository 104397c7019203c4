import type { Context } from '../context.ts';

/** A license check that the probe makes: of this product, with the key in this secret. */
export type LicenseProbe = { readonly product: number; readonly keySecretArn: string };

/** The probe: none, one that asks each host whether it is well, or one that checks a license at the API host too. */
export type ProbeOption = { readonly on: boolean; readonly license: LicenseProbe | undefined };

/** Reads `-c probe=off`, or `-c probeProduct=ID -c probeKeySecretArn=ARN`. */
export const probeOf = (context: Context): ProbeOption => {
  const on = context.oneOf('probe', ['on', 'off'], 'on') === 'on';
  const given = context.together(['probeProduct', 'probeKeySecretArn']);
  const product = context.whole('probeProduct', { least: 1, most: Number.MAX_SAFE_INTEGER });
  if (!on && given) throw new Error('-c probe=off leaves nothing to -c probeProduct and -c probeKeySecretArn.');
  const license = given && product !== undefined ? { product, keySecretArn: given.probeKeySecretArn } : undefined;
  return { on, license };
};
