import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

const HEADER_BYTES = 12;
const TYPE_A = 1;

export interface NameServer {
  /** As a resolver takes it. */
  address: string;
  /** The names that were asked for, one entry for each question about IPv4 addresses. */
  asked: string[];
  /** From now on these are the answers; every other name gets none. */
  answers: Map<string, { address: string; ttlSeconds: number }>;
}

/** A real name server that answers over UDP for the names it knows, and never for any other. By default it takes a free port. */
export async function startNameServer({ host = '127.0.0.1', port = 0 } = {}): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  const answers: NameServer['answers'] = new Map();
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    if (type === TYPE_A) {
      asked.push(name);
    }
    const answer = answers.get(name);
    if (answer !== undefined) {
      socket.send(
        toReply(query.subarray(0, end), type === TYPE_A ? answer : undefined),
        from.port,
        from.address,
      );
    }
  });
  await new Promise<void>((resolve) => socket.bind(port, host, resolve));
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { address: `${host}:${socket.address().port}`, asked, answers };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let place = HEADER_BYTES;
  for (let length = query.readUInt8(place); length > 0; length = query.readUInt8(place)) {
    labels.push(query.toString('ascii', place + 1, place + 1 + length));
    place += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(place + 1), end: place + 5 };
}

/** The question with the answer behind it, which refers to the question's name. */
function toReply(question: Buffer, answer: { address: string; ttlSeconds: number } | undefined): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(answer === undefined ? 0 : 1, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  if (answer === undefined) {
    return head;
  }
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4]);
  record.writeUInt32BE(answer.ttlSeconds, 6);
  return Buffer.concat([head, record, Buffer.from(answer.address.split('.').map(Number))]);
}
