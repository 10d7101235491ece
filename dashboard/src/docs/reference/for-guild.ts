import type { Example, Operation, Parameter, Reference } from './model.ts';

export interface GuildIds {
  guildId: string;
  /** Null when the guild has none yet; then the document's own example stays. */
  playerId: string | null;
  dischargeId: string | null;
  transferId: string | null;
  username: string | null;
}

/**
 * The reference for a guild: only the operations that need a guild's key or no credential, with ids that exist in
 * this guild as examples.
 */
export function referenceForGuild(reference: Reference, ids: GuildIds): Reference {
  const keys = reference.credentials.filter(({ kind }) => kind === 'api-key');
  const keyIds = new Set(keys.map(({ id }) => id));
  const isOpen = ({ security: { alternatives, isOptional } }: Operation) =>
    isOptional || alternatives.length === 0 || alternatives.some((set) => set.every((id) => keyIds.has(id)));
  const groups = reference.groups.map((group) => ({
    ...group,
    operations: group.operations.filter(isOpen).map((operation) => fillOperation(operation, ids)),
  }));
  return {
    ...reference,
    credentials: keys,
    groups: groups.filter(({ operations }) => operations.length > 0),
  };
}

function fillOperation(operation: Operation, ids: GuildIds): Operation {
  const { body } = operation;
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => fillParameter(parameter, ids)),
    body: body && {
      ...body,
      examples: body.examples.map((example) => fillExample(example, { playerId: ids.playerId })),
    },
    responses: operation.responses.map((response) => ({
      ...response,
      examples: response.examples.map((example) => fillExample(example, { guildId: ids.guildId })),
    })),
  };
}

function fillParameter(parameter: Parameter, ids: GuildIds): Parameter {
  if (parameter.place !== 'path') return parameter;
  const known: Record<string, string | null> = { ...ids, query: ids.username ?? ids.playerId };
  return { ...parameter, example: known[parameter.name] ?? parameter.example };
}

/** Replaces the values of these names in the example. A text that is no JSON is returned unchanged. */
function fillExample(example: Example, values: Record<string, string | null>): Example {
  try {
    const filled = JSON.stringify(
      JSON.parse(example.text),
      (name, value: unknown) => (typeof value === 'string' ? (values[name] ?? value) : value),
      2,
    );
    return { ...example, text: filled };
  } catch {
    return example;
  }
}
