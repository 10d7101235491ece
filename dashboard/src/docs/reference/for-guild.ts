import type { Example, Operation, Parameter, Reference } from './model.ts';

export interface GuildIds {
  guildId: string;
  /** Null where the guild has none yet; the document's own example then stays. */
  playerId: string | null;
  dischargeId: string | null;
  transferId: string | null;
  username: string | null;
}

/**
 * The reference as a guild's people need it: what a guild's key opens, or nothing, with ids that exist in this
 * guild in place of the document's own.
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

/** Puts values under their names wherever the example has these names. What is no JSON stays. */
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
