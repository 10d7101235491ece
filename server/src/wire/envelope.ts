import type { Static, TObject, TSchema } from 'typebox';
import { Type } from './type.ts';

/** The success envelope of every endpoint except the transfer's. */
export function enveloped<Data extends TSchema>(data: Data) {
  return Type.Object({ success: Type.Literal(true), data });
}

/** The answer of a route of the dashboard about one thing: null when the thing does not exist or was deleted. */
export function envelopedOrNull<Data extends TObject>(data: Data) {
  return enveloped(Type.Unsafe<Static<Data> | null>({ ...data, type: ['object', 'null'] }));
}

/** The body of most errors. */
export const EnvelopedError = Type.Object({
  success: Type.Literal(false),
  message: Type.String({ description: 'What went wrong, for people.' }),
});

/** The body of the transfer's errors, and of the 401 of the command list: without `success`. */
export const BareError = Type.Object({
  message: Type.String({ description: 'What went wrong, for people.' }),
});

/** The body of the errors of the newer routes. */
export const CodedError = Type.Object({
  success: Type.Literal(false),
  message: Type.String({ description: 'What went wrong, for people.' }),
  code: Type.String({ description: 'What went wrong, for programs: one of a closed list.' }),
  data: Type.Optional(
    Type.Unknown({ description: 'Details of the error, such as the transaction that conflicts.' }),
  ),
});
