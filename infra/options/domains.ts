import type { Context } from '../context.ts';
import { DEPLOYED, NAMED, type Served } from '../routes.ts';

/** A public name of a host, and its certificate, which is in ACM in the same region. */
export type Domain = { readonly name: string; readonly certificateArn: string };

export type Domains = Readonly<Partial<Record<Served, Domain>>>;

const domainOf = (context: Context, host: Served): Domain | undefined => {
  const given = context.together([`${host}Domain`, `${host}CertificateArn`]);
  return given && { name: given[`${host}Domain`], certificateArn: given[`${host}CertificateArn`] };
};

/** The hosts' own names, by `<host>Domain` and `<host>CertificateArn`. */
export const domainsOf = (context: Context): Domains =>
  Object.fromEntries(
    [...DEPLOYED, ...NAMED].flatMap((host) => {
      const domain = domainOf(context, host);
      return domain ? [[host, domain]] : [];
    }),
  );
