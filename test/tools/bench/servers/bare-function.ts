import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import express from 'express';
import serverlessHttp from 'serverless-http';

/** The minimal comparable function: Express, serverless-http and a DynamoDB client. */
const table = new DynamoDBClient({});
const app = express();
app.get('/', (_req, res) => {
  res.json({ region: table.config.region !== undefined });
});

export const handler = serverlessHttp(app);
