import { constant } from '../constant.ts';
import type { Section } from '../row.ts';

export const MCP: Section = {
  title: 'MCP',
  rows: [
    {
      what: 'messages',
      bound: { value: 1, file: 'adapters/mcp/message.ts' },
      per: 'request, which counts as one call',
      seen: '400 for a batch',
      lifetime: '–',
    },
    {
      what: 'text of a tool’s result',
      bound: constant('adapters/mcp/tool-result.ts', 'RESULT_CHARACTERS'),
      as: (length) => `${length?.toLocaleString('en')} characters`,
      per: 'call',
      seen: 'a shortened answer; `_shortened` says how to get the rest',
      lifetime: '–',
    },
    {
      what: 'one text in a shortened result',
      bound: constant('adapters/mcp/shorten.ts', 'LONG_TEXT'),
      as: (length) => `${length?.toLocaleString('en')} characters`,
      per: 'text',
      seen: 'the beginning of the text',
      lifetime: '–',
    },
  ],
};
