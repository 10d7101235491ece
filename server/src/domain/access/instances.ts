/** An instance of the service, as it announced itself. */
export interface Announcement {
  instanceId: string;
  /** Another value in each announcement of an instance: its wall clock in milliseconds. */
  seenAtMs: number;
  /** `apart`: it does not reach the shared limits and limits on its own. `left`: it has ended. */
  state: 'shared' | 'apart' | 'left';
}

/** Announcements older than this are deleted. */
export const ANNOUNCEMENTS_KEPT_MS = 5 * 60_000;

/** The instances that serve a store. */
export interface InstanceStore {
  /** Replaces the instance's announcement. Deletes those that are older than `ANNOUNCEMENTS_KEPT_MS`. */
  announce(instance: Announcement): Promise<void>;
  /** All announcements. Each that was resolved before the call is among them. */
  list(): Promise<Announcement[]>;
}
