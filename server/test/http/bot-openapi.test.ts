import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createValidate, type Validate } from '../../src/wire/validation.ts';
import { BOT_ROUTES, type BotService, parseLines, startBotService } from './bot-service.ts';

interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean; description: string }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; headers: object; content: Record<string, Media> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: object };
}

let service: BotService;
let document: Document;

beforeAll(async () => {
  service = await startBotService();
  document = (await service.send({ method: 'GET', url: '/openapi.json' })).body;
});
afterAll(() => service.stop());

function operationOf({ path, method }: { path: string; method: string }): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) {
    throw new Error(`the document lacks ${method} ${path}`);
  }
  return operation;
}

/** The schema with every reference replaced by what it leads to. */
function resolve(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(resolve);
  }
  if (typeof node !== 'object' || node === null) {
    return node;
  }
  if ('$ref' in node) {
    return resolve(document.components.schemas[String(node.$ref).split('/').at(-1) ?? '']);
  }
  const entries = Object.entries(node).map(([name, value]) => [name, resolve(value)]);
  const isObject = 'type' in node && node.type === 'object' && 'properties' in node;
  return Object.fromEntries(isObject ? [...entries, ['additionalProperties', false]] : entries);
}

/** Many answers have the same schema, and compiling it takes most of the time. */
const compiled = new Map<string, Validate>();

/** By the service's own rules, formats included, and no field beyond those described. */
function expectValid(body: unknown, { schema }: Media): void {
  const { examples: _, ...plain } = resolve(schema) as Record<string, unknown>;
  // The service's own checks know the format of times by one name.
  const text = JSON.stringify(plain).replaceAll('"iso-date-time"', '"date-time"');
  const validate = compiled.get(text) ?? createValidate(JSON.parse(text));
  compiled.set(text, validate);
  expect(validate(structuredClone(body))).toBeUndefined();
}

test('all of the bot, and nothing else, stands under one tag', () => {
  const tagged = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes('Bot'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(tagged.sort()).toEqual(BOT_ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
});

test('operations have ids of their own', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(BOT_ROUTES)('$method $path', (route) => {
  test("needs the bot's token as a bearer", () => {
    expect(operationOf(route).security).toEqual([{ botToken: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      botToken: { type: 'http', scheme: 'bearer' },
    });
  });

  test('describes each parameter in its path', () => {
    const { parameters } = operationOf(route);
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(
      [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(parameters.every(({ description }) => description.length > 0)).toBe(true);
  });

  test('lists the refusals it can answer with, and valid examples of every answer', () => {
    const { responses } = operationOf(route);
    const statuses = Object.keys(responses).map(Number);
    const hasBody = operationOf(route).requestBody !== undefined;
    expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 408, 417, 429, 431, 500, 503]));
    expect(statuses.includes(415)).toBe(hasBody);
    for (const { content } of Object.values(responses)) {
      for (const media of Object.values(content)) {
        const examples = Object.values(media.examples ?? {});
        expect(examples.length).toBeGreaterThan(0);
        for (const { value } of examples) {
          expectValid(value, media);
        }
      }
    }
  });

  test('has a valid example of its body, and takes it when it is sent', async () => {
    const media = operationOf(route).requestBody?.content['application/json'];
    if (media === undefined) {
      expect(['GET', 'DELETE', 'POST']).toContain(route.method);
      return;
    }
    expectValid(media.example, media);
    const reply = await service.bot(route.method, route.url, { payload: media.example as object });
    expect(reply.status).toBe(200);
    const success = operationOf(route).responses[200]?.content['application/json'];
    expectValid(reply.body, success ?? { schema: { not: {} } });
  });
});

test('the import speaks NDJSON in both directions', () => {
  const { requestBody, responses } = operationOf({ method: 'POST', path: '/bot/import/{kind}' });
  expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/x-ndjson']);
  expect(Object.keys(responses[200]?.content ?? {})).toEqual(['application/x-ndjson']);
  const answer = responses[200]?.content['application/x-ndjson'];
  expect(answer).toMatchObject({
    schema: { type: 'string' },
    'x-line-schema': { $ref: '#/components/schemas/ImportLine' },
  });
  for (const line of parseLines(String(answer?.examples?.lines?.value))) {
    expectValid(line, { schema: document.components.schemas.ImportLine as Record<string, unknown> });
  }
});

test('a guarded replacement is described with its tag and its refusal', () => {
  const operation = operationOf({ method: 'PUT', path: '/bot/commands' });
  expect(operation.parameters.map(({ name }) => name)).toEqual(['If-Match']);
  expect(operation.responses).toHaveProperty('412');
  expect(operation.responses[200]?.headers).toHaveProperty('ETag');
});
