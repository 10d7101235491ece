import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

// A server that only answers: the upper limit for any service. It sends the headers and the bytes of a real answer of the
// service, and for a post it reads and parses the body first. With a public key it also checks the body's Ed25519 signature.

interface Answer {
  method: string;
  /** Requests whose path begins like this get this answer. */
  prefix: string;
  status: number;
  headers: string[];
  body: string;
}

/** The answers of a bare server. `publicKey`, in PEM, checks the signatures of requests. */
export interface BareServerTask {
  answers: Answer[];
  publicKey?: string | undefined;
}

process.once('message', ({ answers, publicKey }: BareServerTask) => {
  const key = publicKey === undefined ? undefined : createPublicKey(publicKey);
  const prepared = answers.map((answer) => ({ ...answer, bytes: Buffer.from(answer.body) }));
  const [only] = prepared;

  function send({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const answer =
      prepared.length === 1
        ? only
        : prepared.find((candidate) => candidate.method === method && url.startsWith(candidate.prefix));
    response.writeHead(answer?.status ?? 500, answer?.headers);
    response.end(answer?.bytes);
  }

  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      send(request, response);
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      if (key !== undefined) {
        const { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp } = request.headers;
        const signed = Buffer.concat([Buffer.from(String(timestamp)), body]);
        if (!verify(null, signed, key, Buffer.from(String(signature), 'hex'))) {
          response.writeHead(401).end();
          return;
        }
      }
      JSON.parse(body.toString());
      send(request, response);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
});
