import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import express from 'express';
import serverlessHttp from 'serverless-http';

/** The least that a function of this kind can be: Express, serverless-http and the client of its table. */
const table = new DynamoDBClient({});
const app = express();
app.get('/', (_req, res) => {
  res.json({ region: table.config.region !== undefined });
});

export const handler = serverlessHttp(app);
