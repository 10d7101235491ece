import type { Actor, ActorKind, Session } from '../model.ts';

/** The person of a session, as the audit log names them. */
export function actorOf(session: Session): Actor {
  return { kind: 'user', id: session.user.chatId };
}

/** Reads `user:4711`. The id itself may hold colons. */
export function parseActor(text: string): Actor {
  const colon = text.indexOf(':');
  // Only an actor is ever written this way, and what comes from outside was checked to begin with a kind.
  return { kind: text.slice(0, colon) as ActorKind, id: text.slice(colon + 1) };
}
