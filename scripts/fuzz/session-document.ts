import { globSync } from 'node:fs';
import path from 'node:path';
import type { ErrorCode } from '../../server/src/domain/errors.ts';
import type { Endpoint, Route } from '../../server/src/http/endpoint.ts';
import { buildOpenApi } from '../../server/src/http/openapi/document.ts';
import { ACTIONS } from '../../server/src/wire/roles.ts';
import { Type } from '../../server/src/wire/type.ts';
import { ROOT } from '../run.ts';

type Json = Record<string, unknown>;
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Json };
}
interface Operation {
  security: Json[];
  responses: Record<string, { description: string; content?: Json }>;
}

const BELOW_GUILD = '/dashboard/api/guilds/{guildId}/';
const CSV = /\.csv$/;
const SIGN_IN = /\/(?:sign-in|callback)$/;

/**
 * Describes the routes of the dashboard, which serve our own pages and are not in the published document. Everything but the
 * refusals comes from the routes themselves.
 */
export async function buildSessionDocument(): Promise<Document> {
  const routes = await findRoutes();
  const endpoints = routes.map(({ name, route }) => toEndpoint(name, route));
  const document = buildOpenApi(endpoints) as Document;
  for (const { route } of routes) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (operation !== undefined) {
      finish(operation, route);
    }
  }
  document.components.securitySchemes = {
    session: { type: 'apiKey', in: 'cookie', name: 'guildbook_session' },
    csrf: { type: 'apiKey', in: 'header', name: 'x-csrf-token' },
  };
  return document;
}

/** Finds the routes that the files of the dashboard export. Throws when the table of roles has one that is not among them. */
async function findRoutes(): Promise<{ name: string; route: Route }[]> {
  const files = globSync('server/src/http/dashboard/*.ts', { cwd: ROOT }).sort();
  const found: { name: string; route: Route }[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(path.join(ROOT, file));
    const routes = Object.entries(exported).filter((entry): entry is [string, Route] => isRoute(entry[1]));
    found.push(...routes.map(([name, route]) => ({ name: `${path.basename(file, '.ts')}_${name}`, route })));
  }
  const known = new Set(found.map(({ route: { method, path } }) => `${method} ${path}`));
  const named = Object.values(ACTIONS).flatMap(({ routes }): readonly string[] => routes);
  const missing = named.filter((route) => !known.has(route.replace(' ', ` ${BELOW_GUILD}`)));
  if (missing.length > 0) {
    throw new Error(`these routes of the dashboard are exported by no file: ${missing.join(', ')}`);
  }
  return found;
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'path' in value && 'method' in value;
}

/** Refusals beside those of every route of its kind, by method and path below the guild. */
const OWN_ERRORS: Record<string, readonly ErrorCode[]> = {
  ...Object.fromEntries(
    ['discharges', 'transfers'].flatMap((kind): [string, ErrorCode[]][] => [
      [`POST ${kind}`, ['record_exists']],
      [`PUT ${kind}/{${kind.slice(0, -1)}Id}`, ['record_changed']],
      [`DELETE ${kind}/{${kind.slice(0, -1)}Id}`, ['record_changed']],
    ]),
  ),
  'POST players/{playerId}/transactions': ['overdraft_unconfirmed', 'idempotency_mismatch'],
  'POST transactions/{transactionId}/reversal': ['already_reversed', 'idempotency_mismatch'],
  'POST keys': ['key_limit'],
  'POST webhooks': ['webhook_limit'],
  'POST webhooks/{webhookId}/replay': ['webhook_disabled'],
};

function toEndpoint(operationId: string, route: Route): Endpoint {
  const codes = new Set<ErrorCode>(['invalid_input']);
  if (route.access === 'session') {
    codes.add('session_required');
  }
  if (route.method !== 'GET') {
    codes.add('cross_site');
  }
  if (route.path.startsWith(BELOW_GUILD)) {
    codes.add('role_required').add('guild_not_found');
  }
  if (route.body !== undefined || route.isStreamed === true) {
    codes.add('body_too_large').add('unsupported_media_type');
  }
  for (const code of OWN_ERRORS[`${route.method} ${route.path.replace(BELOW_GUILD, '')}`] ?? []) {
    codes.add(code);
  }
  return {
    ...route,
    access: 'public',
    operationId,
    tag: 'dashboard',
    summary: operationId,
    description: operationId,
    reply: route.reply ?? Type.Unknown(),
    examples: {},
    errors: Array.from(codes, (code) => ({ code, detail: '' })),
  };
}

/** Adds what the published document has no words for: sessions, files, and redirects. */
function finish(operation: Operation, route: Route): void {
  const isChange = route.method !== 'GET';
  operation.security = [{ session: [], ...(isChange && { csrf: [] }) }];
  if (route.access === 'public' || SIGN_IN.test(route.path)) {
    operation.security = [];
  }
  const success = operation.responses[200];
  if (CSV.test(route.path) && success !== undefined) {
    success.content = { 'text/csv': { schema: { type: 'string' } } };
  }
  if (SIGN_IN.test(route.path)) {
    operation.responses = { 302: { description: 'To the chat platform, or to a page of the dashboard' } };
  }
}
