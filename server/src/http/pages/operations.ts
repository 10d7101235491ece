import { hash } from 'node:crypto';
import { answerText, type Body, JSON_TYPE, toBody } from '../answer.ts';
import { chooseEncoding, compress, type Encoding } from '../compress.ts';
import { forAnybody, type Served } from '../served.ts';
import { publicRoute } from './public-route.ts';

/** Liveness and readiness, for the operator's tools. */
export const HEALTH_ENDPOINTS: readonly Served[] = [
  forAnybody(publicRoute('/livez'), () => () => answerText('{"status":"alive"}')),
  forAnybody(publicRoute('/readyz'), ({ checkReady, store }) => async () => {
    await checkReady();
    const downWorkers = store.figures.workers().flatMap(({ name, isUp }) => (isUp ? [] : name));
    // Still ready: the guilds of the other workers are served, here as on every instance.
    return answerText(
      JSON.stringify(downWorkers.length === 0 ? { status: 'ready' } : { status: 'degraded', downWorkers }),
    );
  }),
];

/** Above this quality compression takes a second, and saves two per cent. */
const QUALITY = 6;

/** The OpenAPI document. It is built when a server starts, and compressed on the first request that accepts it. */
export function openApiEndpoint(build: () => object): Served {
  return forAnybody(publicRoute('/openapi.json'), () => {
    const text = JSON.stringify(build());
    const plain = toBody(text);
    // Weak, because the compressed forms have the same tag.
    const tag = `W/"${hash('sha256', text, 'base64url')}"`;
    const headers = ['cache-control', 'no-cache', 'etag', tag, 'vary', 'accept-encoding'];
    const compressed = new Map<Encoding, Body>();
    const compressOnce = (encoding: Encoding): Body => {
      const body = compress(text, encoding, QUALITY);
      compressed.set(encoding, body);
      return body;
    };
    return ({ request }) => {
      const { 'if-none-match': known = '' } = request.raw.headers;
      if (known.split(',').some((one) => one.trim() === tag)) {
        return { status: 304, body: toBody(''), headers };
      }
      const encoding = chooseEncoding(request);
      if (encoding === undefined) {
        return { body: plain, contentType: JSON_TYPE, headers };
      }
      const body = compressed.get(encoding) ?? compressOnce(encoding);
      return { body, contentType: JSON_TYPE, headers: [...headers, 'content-encoding', encoding] };
    };
  });
}
