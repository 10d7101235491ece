import type { DemoButton, DemoContent, DemoEmbed } from './messages.ts';

const EMBEDS_MAX = 10;
const BUTTONS_MAX = 25;
const BUTTON_TYPE = 2;
/** The flag of a message that only one person sees. */
const EPHEMERAL = 64;

export interface ReadPayload {
  /** The whole payload, for the fields around a message. */
  payload: Readonly<Record<string, unknown>>;
  files: Map<string, Blob>;
}

/** Reads JSON, or a form with JSON and pictures. */
export async function readPayload(contentType: string, body: Uint8Array): Promise<ReadPayload> {
  if (!contentType.startsWith('multipart/form-data')) {
    return { payload: objectOf(JSON.parse(Buffer.from(body).toString())), files: new Map() };
  }
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const files = Array.from(form.values()).filter((value) => typeof value !== 'string');
  return {
    payload: objectOf(JSON.parse(String(form.get('payload_json') ?? '{}'))),
    files: new Map(files.map((file) => [file.name, file])),
  };
}

/** The message of a payload. Its forms are those of our own service, so they are not checked one by one. */
export function contentOf(data: unknown, files: Map<string, Blob>): DemoContent {
  const { content, embeds, components } = objectOf(data);
  const rows = listOf(components) as { components?: (DemoButton & { type: number })[] }[];
  return {
    ...(typeof content === 'string' && content !== '' && { content }),
    embeds: (listOf(embeds) as DemoEmbed[]).slice(0, EMBEDS_MAX),
    buttons: rows
      .flatMap((row) => row.components ?? [])
      .filter(({ type }) => type === BUTTON_TYPE)
      .slice(0, BUTTONS_MAX),
    files,
  };
}

export function isEphemeral(data: unknown): boolean {
  return (Number(objectOf(data).flags ?? 0) & EPHEMERAL) !== 0;
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
