import { SHOP_ADVICE, SHOP_INSTRUCTIONS } from '../../ports/inbound/documentation/tools.ts';
import { callShopMcp } from '../../ports/inbound/shop/mcp.ts';
import type { Respond } from '../host/host.ts';
import type { DesignMcpParts } from './design.ts';
import { endpointTools } from './endpoint-tools.ts';
import { mcpHandler } from './handler.ts';

const INFO = { name: 'shop-host', title: 'Shop', version: '1.0.0' };

/** The endpoints of the shop host answer with JSON alone. */
const sign = async (): Promise<never> => {
  throw new Error('No tool of the shop host answers with a file.');
};

/** The shop host as tools, of which a token sees those of its role. Nobody signs in here. */
export const shopMcp = (parts: DesignMcpParts): Respond =>
  mcpHandler({
    ...parts,
    endpoint: callShopMcp,
    scopes: [],
    metadataUrl: undefined,
    info: INFO,
    instructions: SHOP_INSTRUCTIONS,
    tools: endpointTools(parts.endpoints, { ...parts, sign, advice: SHOP_ADVICE }),
    urls: [parts.urls.shop],
  });
