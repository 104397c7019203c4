import * as z from 'zod';

const seats = z.int().meta({ description: 'seats that the account holds' });

export const endpoints = {
  holdSeats: {
    group: 'Seats',
    summary: 'Hold seats',
    description: 'Holds seats of a product for the account.',
    pathExamples: { product: 4 },
    bodyExample: { seats: 2 },
    answer: { schema: z.object({ seats }).meta({ id: 'SeatsData' }), example: { seats: 2 } },
  },
  countSeats: {
    group: 'Public',
    summary: 'Count the seats',
    description: 'Counts the seats that everybody holds.',
    answer: { schema: z.object({ held: z.int() }).meta({ id: 'SeatCountData' }), example: { held: 3 } },
  },
} as const;

export const tools = {
  holdSeats: { title: 'Hold seats', description: 'Holds seats of a product for this account.' },
} as const;

export const groups = { Seats: 'The seats of a product that the account holds.' } as const;

export const refusals = {
  no_seats_left: {
    schema: z.object({ message: z.string(), error: z.string(), left: z.int() }).meta({ id: 'NoSeatsLeftData' }),
    example: { message: 'There is 1 seat left.', error: 'no_seats_left', left: 1 },
  },
};
