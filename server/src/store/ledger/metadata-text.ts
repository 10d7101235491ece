import type { Metadata } from '../../domain/model.ts';

/** Stored as the JSON text of an object with its keys in order. */
export function readMetadata(text: string | null): Metadata | undefined {
  return text === null ? undefined : JSON.parse(text);
}

export function writeMetadata(metadata: Metadata | undefined): string | null {
  return metadata === undefined ? null : JSON.stringify(metadata);
}
