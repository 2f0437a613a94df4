/** Faults of people of the dashboard: who is logged in, who may do what, and who is still in the team. */
import type { Fault } from "../plantedFaults.ts"

const at = "packages/core/src/team"
const test = (name: string) => [`packages/handler/test/team/${name}.test.ts`]

export const teamFaults: ReadonlyArray<Fault> = [
  {
    id: "team.last-owner",
    breaks: "A store is left without an owner: nobody can manage its team any more",
    file: `${at}/Teams.ts`,
    find: "if ((yield* repository.countOwners(storeId)) <= 1) return yield* new LastOwner({ id })",
    replace: "",
    tests: test("Team.pg"),
    noticedBy: "of the last owner stays"
  },
  {
    id: "team.invited-owner",
    breaks: "An owner who was only invited counts as one, and the store's last real owner leaves",
    file: `${at}/TeamRepository.ts`,
    find: "AND role = 'owner' AND user_id IS NOT NULL`),",
    replace: "AND role = 'owner'`),",
    tests: test("Team.pg"),
    noticedBy: "of the last owner stays"
  },
  {
    id: "team.author-now",
    breaks: "Of two owners who remove each other at once, both succeed, though one is none any more",
    file: `${at}/Teams.ts`,
    find: "if (role === undefined || !roleMay(role, area)) return",
    replace: "if (role !== undefined && !roleMay(role, area)) return",
    tests: test("Team.race"),
    noticedBy: "who demote or remove each other leave one owner"
  },
  {
    id: "team.ownership",
    breaks: "An admin makes owners, and demotes them",
    file: `${at}/TeamRole.ts`,
    find: 'admin: new Set(dashboardAreas.filter((area) => area !== "ownership")),',
    replace: "admin: new Set(dashboardAreas),",
    tests: test("Team.pg"),
    noticedBy: "of an admin makes no owner, and touches none"
  },
  {
    id: "team.token-once",
    breaks: "Whoever finds an old invitation sent again joins with it",
    file: `${at}/TeamRepository.ts`,
    find: "token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at,",
    replace: "token_expires_at = excluded.token_expires_at,",
    tests: test("Team.pg"),
    noticedBy: "is sent again in place of the one before, five times a day"
  },
  {
    id: "team.password-kept",
    breaks: "Whoever reads an invitation chooses a new password for a person who has one",
    file: `${at}/Invitations.ts`,
    find: "if ((yield* users.findByEmail(email)) !== undefined) return null",
    replace: `const known = yield* users.findByEmail(email)
    if (known !== undefined && password !== undefined)
      yield* users.setPassword(known.id, yield* passwords.hash("dashboard host", password))
    if (known !== undefined) return null`,
    tests: test("Team.pg"),
    noticedBy: "of a person who is known needs no password, and changes none"
  },
  {
    id: "team.session-version",
    breaks: "A log-in with the old password opens a session while the password is changed, and outlives it",
    file: `${at}/SessionRepository.ts`,
    find: "AND u.password_version = ${row.passwordVersion}",
    replace: "",
    tests: test("Team.race"),
    noticedBy: "leaves no session behind that the old password has opened meanwhile"
  },
  {
    id: "team.session-idle",
    breaks: "A session on a computer that nobody uses any more stays open",
    file: `${at}/DashboardSessions.ts`,
    find: "|| lastUsedAt.getTime() + sessionIdle <= now",
    replace: "",
    tests: test("LogIn.pg"),
    noticedBy: "ends after seven days without use"
  },
  {
    id: "team.other-session",
    breaks: "A person ends the sessions of others",
    file: `${at}/SessionRepository.ts`,
    find: "WHERE id = ${id} AND user_id = ${userId} AND ended_at IS NULL",
    replace: "WHERE id = ${id} AND ended_at IS NULL",
    tests: test("LogIn.pg"),
    noticedBy: "sees where else the account is open, and ends that"
  },
  {
    id: "team.sessions-end",
    breaks: "Whoever stole a session stays logged in after the password was changed",
    file: `${at}/DashboardAccounts.ts`,
    find: "yield* sessions.endAll(userId, now)",
    replace: "",
    tests: test("LogIn.pg"),
    noticedBy: "is replaced by the link of a mail, once, and every session ends"
  },
  {
    id: "team.unknown-hash",
    breaks: "A log-in tells by its time whether there is such a person",
    file: `${at}/DashboardAccounts.ts`,
    find: "const matches = yield* passwords.matches(lineOf(origin.address), password, user?.passwordHash ?? null)",
    replace:
      "const matches = user !== undefined && (yield* passwords.matches(lineOf(origin.address), password, user.passwordHash))",
    tests: test("LoginLimits.pg"),
    noticedBy: "of an unknown address computes one hash, as of a known one"
  },
  {
    id: "team.locked-out",
    breaks: "Whoever guesses at an owner's password from many addresses keeps the owner out everywhere",
    file: "packages/handler/src/team/LoginLimits.ts",
    find: "if (crowded !== undefined && !(yield* sessions.knowsAddress(email, address))) return yield* crowded",
    replace: "if (crowded !== undefined) return yield* crowded",
    tests: test("LoginLimits.pg"),
    noticedBy: "but not where the person has logged in before"
  },
  {
    id: "team.mails-bounded",
    breaks: "Whoever invites and withdraws in turn fills a stranger's mailbox from the store",
    file: `${at}/Teams.ts`,
    find: "yield* countMail(store.id, email)",
    replace: "",
    tests: test("Team.pg"),
    noticedBy: "counts for the day also where it was withdrawn"
  },
  {
    id: "team.reset-lifts",
    breaks: "An owner whom somebody's guesses keep out stays out after choosing a new password",
    file: "packages/handler/src/team/TeamEndpoints.ts",
    find: "({ email }) => lift(email)",
    replace: "() => Effect.void",
    tests: test("LoginLimits.pg"),
    noticedBy: "is open again everywhere to whoever has chosen a new password by the mailbox"
  },
  {
    id: "team.guesses-at-once",
    breaks: "Guesses that are sent all at once slip past a window that is nearly full",
    file: "packages/handler/src/team/LoginLimits.ts",
    find: "return turns.run(`${account} ${address}`)(judged)",
    replace: "return judged",
    tests: test("LoginLimits.pg"),
    noticedBy: "guessed at many times at once is counted one by one"
  },
  {
    id: "team.forgot-faster",
    breaks: "A forgotten password tells by its time whether there is such a person",
    file: `${at}/DashboardAccounts.ts`,
    find: "Effect.all([askReset(email), Effect.sleep(askingTime)], { concurrency: 2 })",
    replace: "Effect.all([askReset(email)], { concurrency: 2 })",
    tests: test("LogIn.pg"),
    noticedBy: "is answered alike and not faster for a person, a stranger and whoever has five links"
  },
  {
    id: "team.guesses-grow",
    breaks: "Whoever guesses from one address waits no longer the more they guess",
    file: "packages/handler/src/team/LoginLimits.ts",
    find: "isWrong(error) ? limits.take(counting([...ofPair, ...ofAccount])) : Effect.void",
    replace: "isWrong(error) ? limits.take(counting(ofAccount)) : Effect.void",
    tests: test("LoginLimits.pg"),
    noticedBy: "waits longer and longer for an account that is guessed at"
  },
  {
    id: "team.csrf-origin",
    breaks: "A page of another site writes with the cookie of whoever visits it",
    file: "packages/handler/src/middleware/SessionCookie.ts",
    find: "return isForeign || isCrossSite || isUnsaid",
    replace: "return isCrossSite || isUnsaid",
    tests: test("Cookie.pg"),
    noticedBy: "is refused where another site makes the request"
  },
  {
    id: "team.csrf-token",
    breaks: "A page of the same origin that cannot read answers, such as an upload, writes with the visitor's cookie",
    file: "packages/handler/src/middleware/SessionCookie.ts",
    find: 'isRead(method) || isTokenOfSession(headers["x-csrf-token"] ?? "")',
    replace: 'isRead(method) || headers["x-csrf-token"] !== undefined',
    tests: test("Cookie.pg"),
    noticedBy: "takes no token of another session"
  },
  {
    id: "team.host-cookie",
    breaks: "A subdomain plants a session of its own in the browser of whoever logs in",
    file: "packages/handler/src/middleware/SessionCookie.ts",
    find: "const nameOn = (origin: string): string => (isSecure(origin) ? secureName : plainName)",
    replace: "const nameOn = (_origin: string): string => (secureName === plainName ? secureName : plainName)",
    tests: test("Cookie.pg"),
    noticedBy: "is Secure and bound to the host over https"
  },
  {
    id: "team.other-store",
    breaks: "A session opens the dashboard of every store",
    file: "packages/handler/src/middleware/AdminCredential.ts",
    find: "const role = yield* lookups.teams.roleOf(store.id, person.id)",
    replace: 'const role = (yield* lookups.teams.roleOf(store.id, person.id)) ?? ("staff" as const)',
    tests: test("LogIn.pg"),
    noticedBy: "of staff opens what staff may, of the stores that the person works for"
  },
  {
    id: "team.key-of-store",
    breaks: "A key that may change settings of the store makes its holder an owner, who may do everything",
    file: "packages/handler/src/team/TeamApi.ts",
    find: "team({ ...facts, everyScope: true })",
    replace: "team({ ...facts })",
    tests: test("Team.pg"),
    noticedBy: "lists the team with store:read, and changes it only with every scope"
  }
]
