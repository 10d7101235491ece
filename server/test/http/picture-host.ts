import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toPng } from '../../src/png.ts';

/** The smallest picture of each type that counts: only the first bytes matter. */
export const PICTURES = {
  'image/png': toPng({ width: 1, height: 1, palette: [0x336699], pixels: new Uint8Array(1) }),
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'image/gif': Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'),
  'image/webp': Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1'),
};

export interface PictureServer {
  /** The setting that makes a service fetch from it. */
  template: string;
  origin: string;
  /** Every path that was asked for, with the headers of the request. */
  asked: { path: string; headers: NodeJS.Dict<string | string[]> }[];
  /** Answers pictures with this hash. Others are 404. */
  answers: Map<string, RequestListener>;
  close(): Promise<void>;
}

/** A host of pictures on a real port. */
export async function startPictureServer(): Promise<PictureServer> {
  const asked: PictureServer['asked'] = [];
  const answers: PictureServer['answers'] = new Map();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    const hash = /\/(\w+)\.png/.exec(path)?.[1] ?? '';
    const answer = answers.get(hash);
    if (answer === undefined) {
      response.writeHead(404).end('no such picture');
    } else {
      answer(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an `AddressInfo`.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    template: `${origin}/{kind}/{id}/{hash}.png`,
    origin,
    asked,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const sending =
  (bytes: Buffer | string, type = 'image/png'): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type }).end(bytes);
  };
