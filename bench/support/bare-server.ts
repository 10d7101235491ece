import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

// A server that only answers: the upper limit for any service. It sends the headers and the bytes of a real answer of the
// service, and for a post it reads and parses the body first.

interface Answer {
  method: string;
  /** Requests whose path begins like this get this answer. */
  prefix: string;
  status: number;
  headers: string[];
  body: string;
}

process.once('message', (answers: Answer[]) => {
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
      JSON.parse(Buffer.concat(parts).toString());
      send(request, response);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
});
