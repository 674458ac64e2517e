/** The part of a service's life that its claim covers: one session, all sessions of one user, or all sessions of all users. */
export type Lifetime = "session" | "user" | "service";

/** Returns the user of a session: the second session is another user's where the claim covers all users. */
export function userOf(session: number, lifetime: Lifetime): string {
  return lifetime === "service" && session === 1 ? "B" : "A";
}
