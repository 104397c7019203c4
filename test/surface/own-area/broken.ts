import * as z from 'zod';
import { ok } from '../../../domain/shared/outcome.ts';
import type { Area } from '../../../runtimes/composition/area.ts';
import { countSeats, holdSeats } from './endpoints.ts';

const texts = { group: 'Public', summary: 'Broken', description: 'An endpoint whose documentation is broken.' };

const answerOf = (schema: z.ZodType) => ({ ...texts, answer: { schema, example: { seats: 1 } } });

/** The schema of the answer has the name of one of this package. */
const taken = z.object({ seats: z.int() }).meta({ id: 'Message' });

const tool = { name: 'take_seats', effect: 'adds' } as const;

/** An area with one endpoint, which is sound but for its documentation. */
const broken = (id: string, documentation: NonNullable<Area['documentation']>, more: object = {}): Area => ({
  parts: {},
  endpoints: { [id]: { ...countSeats, id, path: `/api/broken/${id}`, ...more } },
  documentation,
  handlers: () => ({ [id]: async () => ok({ seats: 1 }) }),
});

export const withTakenSchema = broken('takenSchema', async () => ({ endpoints: { takenSchema: answerOf(taken) } }));

export const withoutToolTexts = broken(
  'untoldTool',
  async () => ({ endpoints: { untoldTool: answerOf(z.object({ seats: z.int() })) } }),
  { tool },
);

export const unloadable = broken('unloadable', () => Promise.reject(new Error('the module has a mistake')));

/** The documentation describes an endpoint, a tool, a group and a refusal of this package, too. */
export const overreaching: Area = {
  parts: {},
  endpoints: { overreach: { ...holdSeats, id: 'overreach', path: '/api/products/{product}/broken' } },
  documentation: async () => ({
    endpoints: { overreach: answerOf(z.object({ seats: z.int() })), getLibrary: answerOf(z.object({})) },
    tools: {
      overreach: { title: 'Reach', description: 'Reaches.' },
      getLibrary: { title: 'Taken', description: 'Takes.' },
    },
    groups: { Library: 'Taken.' },
    refusals: {
      no_seats_left: { schema: z.object({}), example: {} },
      not_found: { schema: z.object({}), example: {} },
    },
  }),
  handlers: () => ({ overreach: async () => ok({ seats: 1 }) }),
};
