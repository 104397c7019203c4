import * as z from 'zod';

const Rating = z.object({ stars: z.int(), rated_at: z.iso.datetime() }).meta({ id: 'RatingData' });

export const endpoints = {
  rateProduct: {
    group: 'Ratings',
    summary: 'Rate a product',
    description: 'Rates a product that the account has used. A further rating replaces the one before.',
    pathExamples: { product: 4 },
    bodyExample: { stars: 5 },
    answer: { schema: Rating, example: { stars: 5, rated_at: '2026-11-21T09:00:00.000Z' } },
  },
} as const;

export const tools = {
  rateProduct: {
    title: 'Rate a product',
    description: 'Rates a product with 1 to 5 stars in the name of the user. Ask the user for the stars.',
  },
} as const;

export const groups = { Ratings: 'What buyers think of the products.' } as const;
