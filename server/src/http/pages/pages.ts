import send from '@fastify/send';
import { DomainError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { type Answer, redirectTo } from '../answer.ts';
import { chooseEncoding } from '../compress.ts';
import type { Route } from '../endpoint.ts';
import type { HttpRequest } from '../request.ts';
import { ANYBODY, forAnybody, type Served, serve } from '../served.ts';
import { NOSNIFF, type Pages, YEAR_SECONDS } from './built-pages.ts';
import { publicRoute } from './public-route.ts';

/** The names of these files have a hash of their content in them, so they never change. */
const ASSET_HEADERS = [...NOSNIFF, 'cache-control', `public, max-age=${YEAR_SECONDS}, immutable`] as const;
/** The build puts its files into one folder, under plain names. */
const ASSET_NAME = /^\w[\w.-]*$/;
/** The compressed forms of a file that the build leaves beside it. */
const EXTENSIONS = { br: '.br', gzip: '.gz' } as const;

/** The web pages: the dashboard and the interactive reference. */
export const PAGE_ENDPOINTS: readonly Served[] = [
  forAnybody(publicRoute('/'), () => () => redirectTo('/dashboard/')),
  forAnybody(publicRoute('/dashboard'), () => () => redirectTo('/dashboard/')),
  builtPage(publicRoute('/dashboard/'), 'index.html'),
  // Every page has an address of its own: the script in it knows what to show.
  builtPage({ ...publicRoute('/dashboard/*'), isCatchAll: true }, 'index.html'),
  builtPage(publicRoute('/docs'), 'docs.html'),
  ofBuiltPages(publicRoute('/docs/'), () => redirectTo('/docs')),
  builtPage(publicRoute('/receipt'), 'receipt.html'),
  ofBuiltPages(publicRoute('/dashboard/assets/*'), (request, { root }) => {
    const name = request.params['*'] ?? '';
    if (!ASSET_NAME.test(name)) {
      throw new DomainError('path_not_found');
    }
    return answerFile(request, { root, name: `assets/${name}`, headers: ASSET_HEADERS });
  }),
];

function builtPage(route: Route, name: string): Served {
  return ofBuiltPages(route, (request, { root, headers }) => answerFile(request, { root, name, headers }));
}

/** Declares a route that exists only where the pages are built. */
function ofBuiltPages(
  route: Route,
  answer: (request: HttpRequest, pages: Pages) => MaybePromise<Answer>,
): Served {
  return serve(
    route,
    ({ pages }) => (pages.isBuilt ? ANYBODY : undefined),
    ({ pages }) =>
      ({ request }) =>
        answer(request, pages),
  );
}

interface PageFile {
  root: string;
  name: string;
  headers: readonly string[];
}

/** Answers with a file, compressed if the browser accepts that, or with 304 if the browser has it already. */
async function answerFile(request: HttpRequest, { root, name, headers }: PageFile): Promise<Answer> {
  const encoding = chooseEncoding(request);
  const found =
    encoding === undefined ? undefined : await readFile(request, root, `${name}${EXTENSIONS[encoding]}`);
  const plain = found ?? (await readFile(request, root, name));
  if (plain === undefined) {
    throw new DomainError('path_not_found');
  }
  return {
    status: plain.statusCode,
    body: plain.stream,
    contentType: typeOf(name),
    headers: [
      ...headers,
      ...Object.entries(plain.headers).flat(),
      'vary',
      'accept-encoding',
      ...(found !== undefined && encoding !== undefined ? ['content-encoding', encoding] : []),
    ],
  };
}

/** The content type of the uncompressed file. */
function typeOf(name: string): string {
  const type = send.mime.getType(name) ?? 'application/octet-stream';
  return send.isUtf8MimeType(type) ? `${type}; charset=utf-8` : type;
}

/** Undefined if there is no such file. */
async function readFile(request: HttpRequest, root: string, name: string) {
  const { range } = request.raw.headers;
  const options = { root, index: false, cacheControl: false, contentType: false };
  const acceptRanges = range === undefined || isUsable(range);
  const result = await send(request.raw, name, { ...options, acceptRanges });
  if (result.statusCode === 412) {
    throw new DomainError('precondition_failed');
  }
  if (result.statusCode !== 416) {
    return result.type === 'file' ? result : undefined;
  }
  if (/^bytes=-0*[1-9]/.test(range ?? '')) {
    // A suffix range that is longer than the file means the whole file, but the library refuses it.
    return send(request.raw, name, { ...options, acceptRanges: false });
  }
  request.answerHeaders.push('content-range', String(result.headers['Content-Range']));
  throw new DomainError('range_not_satisfiable');
}

/** Accepts one range of bytes whose end is not before its start. All others are ignored, as RFC 9110 allows. */
function isUsable(range: string): boolean {
  const match = /^bytes=(?:(\d+)-(\d*)|-\d+)$/.exec(range);
  const [, first, last = ''] = match ?? [];
  return match !== null && (last === '' || Number(first) <= Number(last));
}
