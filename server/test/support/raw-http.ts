import { type AddressInfo, connect } from 'node:net';
import type { App } from '../../src/http/server.ts';
import { reportBytes } from './request-report.ts';

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Listens on a free port of the loopback interface, for what cannot be shown without a real socket. */
export async function listenOnFreePort(app: App): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A server that listens on a port, and not on a pipe, has an address with one.
  return (app.server.address() as AddressInfo).port;
}

/** Sends the bytes exactly as given and reads the one answer. The request must let the server close. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawReply> {
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString();
  reportBytes(port, bytes, received);
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    let failure: Error | undefined;
    // A server that refuses a request may close before it has read all of it. The system then resets the connection,
    // which says nothing of the answer that came before.
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      if (failure !== undefined && chunks.length === 0) {
        reject(failure);
      } else {
        resolve(parseReply(received()));
      }
    });
  });
}

/** A request as text. The connection is closed after it unless the headers say otherwise. */
export function requestText(
  firstLine: string,
  headers: readonly string[] = [],
  body: string | undefined = undefined,
): string {
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const lines = [firstLine, 'host: localhost', 'connection: close', ...length, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function parseReply(reply: string): RawReply {
  const end = reply.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = reply.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const fields = Object.fromEntries(headers);
  const text = reply.slice(end + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: fields,
    text: fields['transfer-encoding'] === 'chunked' ? joinChunks(text) : text,
  };
}

function joinChunks(text: string): string {
  const [size = '', ...rest] = text.split('\r\n');
  const length = Number.parseInt(size, 16);
  const following = rest.join('\r\n');
  return length > 0 ? following.slice(0, length) + joinChunks(following.slice(length + 2)) : '';
}
