import { designMcpRoute, shopMcpRoute } from '../../../../adapters/mcp/routes.ts';

/** The design host as tools and resources for agents. */
export const designMcp = { parts: { designMcp: designMcpRoute } };

/** The shop host as tools for the shop's own agents. */
export const shopMcp = { parts: { shopMcp: shopMcpRoute } };
