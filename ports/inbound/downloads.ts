import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { DownloadPipelineData } from './schemas/downloads.ts';

export const getDownloadPipeline = endpoint({
  id: 'getDownloadPipeline',
  host: 'api',
  method: 'GET',
  path: '/api/downloads/pipeline',
  group: 'Downloads',
  access: { credential: 'none' },
  output: { kind: 'json', status: 200, schema: DownloadPipelineData, example: examples.downloadPipeline },
  refusals: [],
  cache: { publicSeconds: 60 },
  localized: true,
  summary: 'See what can be downloaded',
  description:
    'For each channel the products on sale that come as a file, with the newest release it offers; what is to be had on each platform; and a checklist. A product counts on the platforms that it names, or on all where it names none. All of it is reckoned from what is published. Channels widen: `beta` counts stable releases too. A product that is not published is nowhere in it.',
});
