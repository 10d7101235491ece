import { Type } from 'typebox';

/** A request of the chat platform. Its adapter reads the fields, because the forms are the platform's and not ours. */
export const InteractionBody = Type.Unknown();
