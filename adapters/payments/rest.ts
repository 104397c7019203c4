import * as z from 'zod';
import { ProviderSilent } from '../../ports/outbound/sales.ts';
import { providerFetch } from './provider-fetch.ts';

/** A provider's API: the environment variable of its key, and the base URL. */
export type Api = { readonly name: string; readonly variable: string; readonly base: string };

/** The fault of an API that answered with an error status, or not at all. No message contains the key. */
export const silent = ({ name, variable }: Omit<Api, 'base'>, status?: number | undefined): ProviderSilent => {
  if (status === undefined) return new ProviderSilent(`${name} does not answer.`);
  if (status === 401) return new ProviderSilent(`${name} refuses the key in ${variable}; make a new one there.`);
  if (status !== 403) return new ProviderSilent(`${name} answers with ${status}.`);
  return new ProviderSilent(`The key in ${variable} may not read this; give it the rights that docs/running.md names.`);
};

const moment = z.string().max(40);

/** An object of a list, with the moment of its last change if the provider reports it. */
export const Listed = z.looseObject({
  id: z.string(),
  created_at: moment,
  updated_at: z.nullish(moment),
  modified_at: z.nullish(moment),
});

/** Reads JSON by a path, or by a URL that the API returned; undefined on 404. */
export const reading =
  (api: Api, key: string) =>
  async (path: string): Promise<unknown> => {
    const url = new URL(path, api.base);
    // The key is sent to no other server.
    if (url.origin !== new URL(api.base).origin) throw silent(api);
    const answer = await providerFetch(url, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined);
    if (answer?.status === 404) return undefined;
    if (!answer?.ok) throw silent(api, answer?.status);
    return answer.json().catch(() => {
      throw silent(api);
    });
  };
