import type { Actor, ActorKind, Session } from '../model.ts';

/** Somebody who acts: the person of a session, or a member in the chat. */
export interface ActingPerson {
  user: { chatId: string };
}

/** The person of a session, as the audit log names them. */
export function actorOf(session: Session): Actor {
  return { kind: 'user', id: session.user.chatId };
}

/** Reads `user:4711`. The id itself may hold colons. */
export function parseActor(text: string): Actor {
  const colon = text.indexOf(':');
  // The cast is safe: this text is only ever written from an actor, and the edge checks that outside input starts
  // with a kind.
  return { kind: text.slice(0, colon) as ActorKind, id: text.slice(colon + 1) };
}
