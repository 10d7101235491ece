import { fieldOf } from './check-shape.ts';
import type { WebhookEvent } from './schema.ts';

export interface VerifyWebhookInput {
  /** The received body before any JSON parsing: its text or its bytes. */
  body: string | Uint8Array | ArrayBuffer;
  /** The headers of the request: a `Headers` object, or the plain object of Node.js and others. */
  headers: WebhookHeaders;
  /** The webhook's secret. Pass several while you replace one: a signature by any of them is accepted. */
  secret: string | readonly string[];
  /** The largest difference between the time of the delivery and now, in either direction. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The present time in milliseconds. Default: `Date.now`. */
  nowMs?: (() => number) | undefined;
}

export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery with a valid signature. */
export interface WebhookDelivery {
  /** Identifies the event. An event is delivered at least once: store the ids of handled events. */
  id: string;
  event: WebhookEvent;
}

/**
 * The reason of a refusal: `headers` are missing or malformed, the `timestamp` is too far from now, no `signature`
 * matches, or the `body` is no event.
 */
export type WebhookFault = 'headers' | 'timestamp' | 'signature' | 'body';

/** A delivery that is not genuine: answer it with 400. */
export class WebhookError extends Error {
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.name = 'WebhookError';
    this.fault = fault;
  }
}

const TOLERANCE_SECONDS = 300;
/** The service sends one signature, or two during a rotation of the secret. */
const SIGNATURES_MAX = 10;
/** 32 bytes have exactly one form in base64: the last character before the padding ends in two zero bits. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/**
 * Checks a delivery according to Standard Webhooks and returns its event. Rejects with a `WebhookError` when it is
 * not genuine, and with a `TypeError` for a malformed secret.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookDelivery> {
  const keys = await Promise.all([input.secret].flat().map(readSecret));
  if (keys.length === 0) {
    throw new TypeError('secret must not be an empty list');
  }
  const id = headerOf(input.headers, 'webhook-id');
  const timestamp = headerOf(input.headers, 'webhook-timestamp');
  const signatures = headerOf(input.headers, 'webhook-signature');
  checkTime(timestamp, input);
  const body = toBytes(input.body);
  const content = concatenate(toBytes(`${id}.${timestamp}.`), body);
  if (!(await isSigned(content, readSignatures(signatures), keys))) {
    throw new WebhookError('signature', 'No signature of the delivery fits');
  }
  return { id, event: readEvent(body) };
}

async function readSecret(secret: string): Promise<CryptoKey> {
  const [, text] = SECRET.exec(secret) ?? [];
  if (text === undefined || text.length % 4 !== 0) {
    throw new TypeError('secret must be the secret of a webhook: whsec_ and base64');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', fromBase64(text), algorithm, false, ['verify']);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== 'string' || value === '') {
    throw new WebhookError('headers', `The header ${name} is missing`);
  }
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}

/** Names of headers are case-insensitive. A header that was sent twice is a list, which counts as missing. */
function findHeader(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
}

function checkTime(timestamp: string, { toleranceSeconds, nowMs = Date.now }: VerifyWebhookInput): void {
  const tolerance = toleranceSeconds ?? TOLERANCE_SECONDS;
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookError('headers', 'The header webhook-timestamp is no number of seconds');
  }
  const ageSeconds = Math.floor(nowMs() / 1_000) - Number(timestamp);
  if (Math.abs(ageSeconds) > tolerance) {
    const where = ageSeconds > 0 ? 'ago' : 'ahead';
    throw new WebhookError('timestamp', `The delivery is from more than ${tolerance} seconds ${where}`);
  }
}

/** Signatures of other versions are ignored: the standard may add some. */
function readSignatures(text: string): Uint8Array<ArrayBuffer>[] {
  return text
    .split(' ')
    .slice(0, SIGNATURES_MAX)
    .flatMap((one) => SIGNATURE.exec(one)?.[1] ?? [])
    .map(fromBase64);
}

/** `verify` compares in constant time. All pairs are compared, so that the time does not reveal which one matches. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly CryptoKey[],
): Promise<boolean> {
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content)),
  );
  return (await Promise.all(checks)).includes(true);
}

function readEvent(body: Uint8Array<ArrayBuffer>): WebhookEvent {
  const event = parse(body);
  const data = fieldOf(event, 'data');
  const isEvent =
    typeof fieldOf(event, 'type') === 'string' &&
    typeof fieldOf(event, 'timestamp') === 'string' &&
    typeof data === 'object' &&
    data !== null;
  if (!isEvent) {
    throw new WebhookError('body', 'The body is no event');
  }
  // The signature proves that the service wrote it, and the types are generated from the schemas that the service is
  // tested with.
  return event as WebhookEvent;
}

function parse(body: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Not JSON, so it is no event.
    return undefined;
  }
}

function toBytes(content: VerifyWebhookInput['body']): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') {
    return new TextEncoder().encode(content);
  }
  // A copy, so that the checked and the parsed bytes are the same.
  return content instanceof ArrayBuffer ? new Uint8Array(content.slice(0)) : new Uint8Array(content);
}

function concatenate(
  first: Uint8Array<ArrayBuffer>,
  second: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
