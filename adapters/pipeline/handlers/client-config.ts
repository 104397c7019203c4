import type { ShowClientConfig } from '../../../application/policy/show-client-config.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';

export type ClientConfigUseCases = { showClientConfig: ShowClientConfig };

export const clientConfigHandlers = (use: ClientConfigUseCases): HandlersOf<'getClientConfig'> => ({
  getClientConfig: async () => ok(await use.showClientConfig.execute()),
});
