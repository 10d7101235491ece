import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { findSparePort } from '../../../server/test/support/spare-port.ts';

/** The proxy's behaviour for one request. It may pass the request on to the service first. */
export type Conduct = (
  request: IncomingMessage,
  response: ServerResponse,
  passOn: () => Promise<Response>,
) => unknown;

/** A proxy in front of the service. It applies one of `conducts` to each request; later requests are passed on unchanged. */
export async function startGateway(serviceAddress: string, conducts: readonly Conduct[]): Promise<string> {
  const left = [...conducts];
  const server = createServer(async (request, response) => {
    const passOn = () => forward(request, serviceAddress);
    await (left.shift() ?? answerHonestly)(request, response, passOn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A server that listens on a port, and not on a pipe, has an address with one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address at which nobody listens, nor will while the tests run. */
export async function findDeadAddress(): Promise<string> {
  return `http://127.0.0.1:${await findSparePort()}`;
}

const answerHonestly: Conduct = async (_request, response, passOn) => {
  const answer = await passOn();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
};

async function forward(request: IncomingMessage, serviceAddress: string): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => name.startsWith('x-') || ['authorization', 'content-type', 'idempotency-key'].includes(name),
  );
  return fetch(serviceAddress + request.url, {
    method: request.method ?? 'GET',
    headers: headers.map(([name, value]) => [name, String(value)]),
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
}
