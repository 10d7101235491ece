import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { untilTrue } from './patience.ts';

export interface Delivery {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  json: any;
}

export interface Receiver {
  url: string;
  port: number;
  /** Everything that came in, in order. */
  deliveries: Delivery[];
  /** The deliveries of this type. */
  of(type: string): Delivery[];
  /** Waits until `count` deliveries have come in. */
  until(count: number): Promise<Delivery[]>;
}

export type Respond = (response: ServerResponse, delivery: Delivery, count: number) => void;

/** A real HTTP server of the test's own that takes deliveries, by default with status 204. */
export async function startReceiver(
  respond: Respond = (response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks).toString();
    const { headers, url = '' } = request;
    const isJson = String(headers['content-type']).startsWith('application/json');
    const delivery = {
      path: url,
      headers,
      body,
      id: String(headers['webhook-id']),
      json: isJson ? JSON.parse(body) : undefined,
    };
    deliveries.push(delivery);
    respond(response, delivery, deliveries.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    deliveries,
    of: (type) => deliveries.filter(({ json }) => json?.type === type),
    async until(count) {
      await untilTrue(() => deliveries.length >= count);
      return deliveries;
    },
  };
}
