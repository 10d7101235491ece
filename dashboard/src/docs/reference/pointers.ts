import { isRecord, type JsonRecord, recordOf, textOf } from './json.ts';

// A reference may lead to another reference; more steps than this are a loop.
const stepsMax = 16;

/** Follows references within one document. */
export interface Resolver {
  /** The object itself, or the target of its `$ref`; empty when there is no target. */
  resolve(value: unknown): JsonRecord;
}

export function createResolver(document: JsonRecord): Resolver {
  function follow(pointer: string): unknown {
    const steps = pointer.slice(2).split('/').map(decodeStep);
    return steps.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), document);
  }
  return {
    resolve(value) {
      let current = recordOf(value);
      for (let step = 0; step < stepsMax; step += 1) {
        const pointer = textOf(current.$ref);
        if (!pointer.startsWith('#/')) return current;
        // OpenAPI 3.1 allows a description beside a reference; it overrides the target's own.
        const { $ref: _, ...siblings } = current;
        current = { ...recordOf(follow(pointer)), ...siblings };
      }
      return {};
    },
  };
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
