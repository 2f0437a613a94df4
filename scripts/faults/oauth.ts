/** Faults of sign-ins by other services: whose account it is, and what is believed of a provider. */
import type { Fault } from "../plantedFaults.ts"

const room = (name: string) => `packages/core/src/oauth/${name}.ts`
const test = (name: string) => [`packages/handler/test/oauth/${name}.pg.test.ts`]
const hostile = test("HostileAnswers")

export const oauthFaults: ReadonlyArray<Fault> = [
  {
    id: "oauth.both-verified",
    breaks: "An attacker who registers a victim's address, or names it at a provider, gets the victim's account",
    file: room("Identities"),
    find: "if (!emailVerified || !customer.emailVerified) return",
    replace: "if (!emailVerified && !customer.emailVerified) return",
    tests: test("SignIns"),
    noticedBy: "is not linked where the customer has not verified it, and nothing is written"
  },
  {
    id: "oauth.link-asked",
    breaks: "Somebody who sends a signed-in customer their own sign-in gets into the customer's account",
    file: room("Identities"),
    find: "if (!request.isLinkAsked && !isAnswer && !provesAddress(request.profile, customer))",
    replace: "if (request.isLinkAsked && !isAnswer && !provesAddress(request.profile, customer))",
    tests: test("SignIns"),
    noticedBy: "of another person is linked only where the customer was signed in when the sign-in began"
  },
  {
    id: "oauth.link-vouched",
    breaks: "Somebody who names a customer's address at a provider, and sends them the sign-in, gets into the account",
    file: room("Identities"),
    find: "const isAnswer = request.isJustLoggedIn && request.profile.email === customer.email",
    replace: "const isAnswer = request.profile.email === customer.email",
    tests: test("SignIns"),
    noticedBy: "is linked by the callback's token alone not long after the log-in: somebody else may have begun it"
  },
  {
    id: "oauth.link-own",
    breaks: "A link that one customer asked for is made for another",
    file: room("ProviderLogins"),
    find: " || (begun.customerId !== null && begun.customerId !== place.customer?.id)",
    replace: "",
    tests: test("SignIns"),
    noticedBy: "is not linked to a customer other than the one who began it, nor to nobody"
  },
  {
    id: "oauth.unproved-identity",
    breaks: "Who signed up with a victim's address keeps the account after the victim has reset the password",
    file: room("Identities"),
    find: "const untilPasswordVersion = emailVerified ? null : made.passwordVersion",
    replace: "const untilPasswordVersion = null",
    tests: test("SignIns"),
    noticedBy: "signed up without being verified: who chooses a password by the mailbox ends the account's sign-in"
  },
  {
    id: "oauth.unproved-link",
    breaks: "Who linked an account to a victim's address keeps it after the victim has reset the password",
    file: room("Identities"),
    find: "untilPasswordVersion: isProved ? null : customer.passwordVersion",
    replace: "untilPasswordVersion: null",
    tests: test("SignIns"),
    noticedBy: "is the victim's alone after a reset by mail"
  },
  {
    id: "oauth.state-once",
    breaks: "A state that was seen in a browser's history signs in again",
    file: room("ProviderLogins"),
    find: "return isFirst ? begun : yield* new SignInStateRejected()",
    replace: "return begun",
    tests: hostile,
    noticedBy: "works once, whatever came of it"
  },
  {
    id: "oauth.state-place",
    breaks: "A state that one provider was given is sent, with its code, to another",
    file: room("SignInState"),
    find: "|${channelId}|${provider}|${providerId}`",
    replace: "|${channelId}`",
    tests: hostile,
    noticedBy: "of another provider, channel or store is none"
  },
  {
    id: "oauth.state-expires",
    breaks: "A sign-in can be finished days after it began",
    file: room("SignInState"),
    find: "return state !== undefined && now < state.expiresAt ? state : undefined",
    replace: "return state",
    tests: hostile,
    noticedBy: "is good for ten minutes, and used ones are forgotten after them"
  },
  {
    id: "oauth.nonce",
    breaks: "An ID token that was made for another sign-in is believed",
    file: room("CodeExchange"),
    find: "{ expectedNonce: begun.nonce, requireIdToken: true }",
    replace: "{ expectedNonce: String(jose.decodeJwt(String(tokens['id_token']))['nonce']), requireIdToken: true }",
    tests: hostile,
    noticedBy: "with another nonce"
  },
  {
    id: "oauth.future",
    breaks: "An ID token from the future, or from last year, is believed",
    file: room("CodeExchange"),
    find: "            maxTokenAge: maxAge,\n",
    replace: "",
    tests: hostile,
    noticedBy: "issued in more than a minute"
  },
  {
    id: "oauth.time",
    breaks: "A provider that never answers holds its shoppers for as long as it likes",
    file: room("ProviderLogins"),
    find: "duration: services.timeoutMillis,",
    replace: "duration: 100 * services.timeoutMillis,",
    tests: hostile,
    noticedBy: "is given up once a sign-in has taken its time"
  },
  {
    id: "oauth.tenant",
    breaks: "Everybody with a Google account signs in to a shop for the members of one company",
    file: room("CodeExchange"),
    find: 'tenant !== undefined && claims["hd"] !== tenant',
    replace: 'tenant === undefined && claims["hd"] !== tenant',
    tests: test("NamedProviders"),
    noticedBy: "signs in members of the tenant alone, where one is named"
  },
  {
    id: "oauth.facebook-unverified",
    breaks: "An address that anybody can enter at Facebook opens the account of its owner",
    file: room("ProviderProfile"),
    find: 'email: emailOf(person["email"]), emailVerified: false,',
    replace: 'email: emailOf(person["email"]), emailVerified: true,',
    tests: test("NamedProviders"),
    noticedBy: "never links by its address, also where the customer has verified theirs"
  },
  {
    id: "oauth.forgotten",
    breaks: "A deleted customer's account at a provider stays in the books",
    file: room("Identities"),
    find: "      forget(storeId, id)\n",
    replace: "      forget(storeId, `${id}-`)\n",
    tests: test("SignIns"),
    noticedBy: "leaves no account at a provider behind, and the person begins anew"
  },
  {
    id: "oauth.private-issuer",
    breaks: "A merchant's issuer may be a server inside of the network",
    file: room("LoginProviders"),
    find: "rejectFields(problem === undefined ? problems :",
    replace: "rejectFields(problem !== undefined ? problems :",
    tests: test("LoginProviders"),
    noticedBy: "of a server that may not call private addresses have none for an issuer"
  },
  {
    id: "oauth.answer-is-one",
    breaks: "A stranger who sends wrong codes has a store's sign-ins by a provider put off for everybody",
    file: room("ProviderCalls"),
    find: "heard(answer.status < 500)",
    replace: "heard(answer.status < 400)",
    tests: hostile,
    noticedBy: "and answers a code that it calls an invalid request, however often, is there: others sign in by it"
  }
]
