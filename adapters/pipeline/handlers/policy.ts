import type { ShowClientConfig } from '../../../application/policy/show-client-config.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = { readonly showClientConfig: ShowClientConfig };

export const policyHandlers = (use: UseCases): HandlersOf<'getClientConfig'> => ({
  getClientConfig: async () => ok(await use.showClientConfig()),
});
