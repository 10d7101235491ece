import { shellQuote } from '../../components/shell-quote.ts';
import type { BuiltRequest } from './build-request.ts';

/**
 * The same request with its secrets masked, for showing. The first characters stay, so that keys can be
 * distinguished.
 */
export function maskRequest(request: BuiltRequest): BuiltRequest {
  const headers = request.headers.map((header) =>
    header.secret === undefined
      ? header
      : { ...header, value: header.value.replace(header.secret, maskSecret(header.secret)) },
  );
  return { ...request, headers };
}

function maskSecret(secret: string): string {
  return `${secret.length > 12 ? secret.slice(0, 4) : ''}${'•'.repeat(12)}`;
}

export function curlSnippet({ method, url, headers, body }: BuiltRequest): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  const parts = [
    `curl ${isPlain ? '' : `-X ${method} `}${shellQuote(url)}`,
    ...headers.map(({ name, value }) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // Unlike --data, --data-raw does not treat a leading "@" as a file name.
    ...(body === undefined ? [] : [`--data-raw ${shellQuote(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

export function fetchSnippet(request: BuiltRequest): string {
  const { method, url, headers, body } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`  method: ${scriptQuote(method)},`);
  if (headers.length > 0) {
    const lines = headers.map(({ name, value }) => `    ${scriptQuote(name)}: ${scriptQuote(value)},`);
    options.push('  headers: {', ...lines, '  },');
  }
  if (body !== undefined) options.push(`  body: ${bodyExpression(body)},`);
  const second = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${scriptQuote(url)}${second});\nconst data: unknown = await response.json();`;
}

function bodyExpression(body: string): string {
  try {
    const pretty = JSON.stringify(JSON.parse(body), null, 2);
    return `JSON.stringify(${pretty.replaceAll('\n', '\n  ')})`;
  } catch {
    // While the reader is typing, the text may not be JSON yet; it is shown unchanged.
    return scriptQuote(body);
  }
}

/** A string literal for TypeScript, in single quotes. */
export function scriptQuote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replace(/\\(.)|'/g, (match, escaped) => (escaped === '"' ? '"' : match === "'" ? "\\'" : match))}'`;
}
