import { agentTokens } from '../../composition/areas/agent-tokens.ts';
import { agents } from '../../composition/areas/agents.ts';
import { gallery } from '../../composition/areas/gallery.ts';
import { keys } from '../../composition/areas/keys.ts';
import { licensing } from '../../composition/areas/licensing.ts';
import { operations } from '../../composition/areas/operations.ts';
import { policy } from '../../composition/areas/policy.ts';
import { signing } from '../../composition/areas/signing.ts';
import { support } from '../../composition/areas/support.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/engine-settings.ts';

export const wire = (settings: Settings, engines: Engines) =>
  bootstrap(settings, engines, [agentTokens, agents, gallery, keys, licensing, operations, policy, signing, support]);
