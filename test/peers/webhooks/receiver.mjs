import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/* A receiver that prints its port, and then the kind of each request that the library verifies. */

const { SECRET = '', CERTIFICATE = '', KEY = '' } = process.env;
const webhook = new Webhook(SECRET);

const server = createServer({ cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) }, async (req, res) => {
  let [said, status] = ['refused', 400];
  try {
    [said, status] = [webhook.verify(await text(req), req.headers).type, 204];
  } catch {}
  console.log(said);
  res.writeHead(status).end();
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
