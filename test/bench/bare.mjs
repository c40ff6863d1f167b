// The bare Express route as the baseline of the quote endpoint: it parses the same body and sends a fixed answer.
import express from 'express';

const answer = JSON.parse(process.env.ANSWER ?? '{}');
const app = express();
app.post('/v1/client/shipment/rates', express.json(), (_req, res) => res.json(answer));
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
