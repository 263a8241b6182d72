import { z } from '@hono/zod-openapi'

/**
 * What is asked and answered under /api/auth/: everything before and around a session. Bodies are JSON both ways; every
 * refusal is `application/problem+json` with one of `SIGN_IN_CODES`. A write is refused (`cross_site`) unless it comes
 * from the console's own origin. Tokens of links travel in the fragment of a page's URL and from there in a POST body.
 *
 * | endpoint | asks | answers |
 * |---|---|---|
 * | `GET /api/auth/options` | | `SignInOptions` |
 * | `GET /api/auth/session` | | `SessionState` (also for nobody) |
 * | `POST /api/auth/sign-in` | `SignInBody` | `SignInAnswer` |
 * | `POST /api/auth/second-step` | `SecondStepBody` | `SignInAnswer` |
 * | `POST /api/auth/sign-out` | | 204, also for nobody |
 * | `POST /api/auth/sign-out-everywhere` | `SignOutEverywhereBody` | 204 |
 * | `POST /api/auth/confirm` | `ConfirmBody` | `SessionState` |
 * | `GET /api/auth/sessions` | | `SessionList` |
 * | `DELETE /api/auth/sessions/{id}` | | 204 |
 * | `POST /api/auth/set-up/look` | `LinkBody` | `SetUpLook` |
 * | `POST /api/auth/set-up` | `SetUpBody` | `SignInAnswer` |
 * | `POST /api/auth/invitation/look` | `LinkBody` | `InvitationLook` |
 * | `POST /api/auth/sign-up` | `SignUpBody` | `SignInAnswer` |
 * | `POST /api/auth/password/forgot` | `ForgotBody` | 202 `MailAnswer`, the same whether the address is known or not |
 * | `POST /api/auth/password/reset` | `ResetPasswordBody` | 204; ends all sessions |
 * | `POST /api/auth/password/change` | `ChangePasswordBody` | 204; ends the other sessions |
 * | `POST /api/auth/email/verify` | `LinkBody` | `EmailAnswer` |
 * | `POST /api/auth/email/send` | | 202 `MailAnswer`: a verification link to the own address |
 * | `POST /api/auth/email/change` | `EmailBody` (fresh) | 202 `MailAnswer`: a link to the new address; the old one stays until it is opened |
 * | `GET /api/auth/methods` | | `SignInMethods` of the own account |
 * | `POST /api/auth/totp/start` | (fresh) | `TotpStart` |
 * | `POST /api/auth/totp/finish` | `TotpCodeBody` | `SignInMethods` |
 * | `POST /api/auth/totp/stop` | (fresh) | `SignInMethods` |
 * | `POST /api/auth/totp/backup-codes` | (fresh) | `BackupCodes`; the old ones stop working |
 * | `POST /api/auth/passkeys/register/start` | (fresh) | WebAuthn `PublicKeyCredentialCreationOptionsJSON` |
 * | `POST /api/auth/passkeys/register/finish` | `PasskeyRegistrationBody` | `SignInMethods` |
 * | `DELETE /api/auth/passkeys/{id}` | (fresh) | `SignInMethods` |
 * | `POST /api/auth/passkeys/sign-in/start` | | WebAuthn `PublicKeyCredentialRequestOptionsJSON` |
 * | `POST /api/auth/passkeys/sign-in/finish` | `PasskeyBody` | `SignInAnswer` |
 * | `POST /api/auth/oidc/start` | `OidcStartBody` | `OidcStart`; the browser then goes to its `url` |
 * | `GET /api/auth/callback/oidc` | from the provider | redirects into the console; on failure to `/console/sign-in#error=<code>` |
 * | `DELETE /api/auth/oidc` | (fresh) | `SignInMethods` |
 * | `GET /api/auth/invitations` | admin | `InvitationList` |
 * | `POST /api/auth/invitations` | `InvitationBody`, admin (fresh) | 201 `InvitationMade`, its link shown this once |
 * | `DELETE /api/auth/invitations/{id}` | admin | 204 |
 * | `POST /api/auth/accounts/{id}/reset-link` | admin (fresh) | 201 `LinkMade` for a new password |
 * | `POST /api/auth/accounts/{id}/verification-link` | admin (fresh) | 201 `LinkMade` |
 *
 * "(fresh)": needs credentials shown within `FRESH_MINUTES`, else 403 `confirmation_needed`: ask for them, `POST confirm`,
 * and send it again.
 */
export const FRESH_MINUTES = 15

/** Every `code` that /api/auth/ answers beside the common ones of the API. `field` names the field of the body at fault. */
export const SIGN_IN_CODES = {
  request_invalid: 400,
  credentials_wrong: 401,
  second_step_wrong: 401,
  second_step_expired: 401,
  passkey_refused: 401,
  session_missing: 401,
  account_disabled: 403,
  confirmation_needed: 403,
  cross_site: 403,
  admin_needed: 403,
  managed_by_file: 403,
  registration_closed: 403,
  invitation_needed: 403,
  passkeys_impossible: 403,
  /** From here on also as `#error=` of the redirect that ends a visit to the OIDC provider. */
  oidc_email_unverified: 403,
  /** There is an account with this address; its owner has to sign in and link the provider. */
  oidc_not_linked: 403,
  oidc_failed: 403,
  path_unknown: 404,
  not_found: 404,
  oidc_not_configured: 404,
  email_taken: 409,
  last_way_in: 409,
  totp_already_on: 409,
  totp_not_on: 409,
  body_too_large: 413,
  /** Used, expired, withdrawn or mistyped: never told apart. */
  link_invalid: 410,
  password_unfit: 422,
  /** With `retry-after`: too many tries for this account or from this address. */
  sign_in_throttled: 429,
  internal: 500,
  oidc_unavailable: 502,
} as const

export type SignInCode = keyof typeof SIGN_IN_CODES

const time = z.iso.datetime()
const email = z.email().max(254)
/** Of an account that exists: what it may be is no matter here (`admin@localhost` is one). */
const anyEmail = z.string().trim().min(3).max(254).includes('@')
const newPassword = z.string().min(8).max(128)
const anyPassword = z.string().min(1).max(128)
const linkToken = z.string().min(20).max(128)
const personName = z
  .string()
  .trim()
  .max(100)
  .regex(/^\P{Cc}*$/u, 'takes no line breaks or control characters')
const role = z.enum(['user', 'admin'])
const language = z.enum(['en', 'zh-CN'])
/** The browser's own JSON of a credential (`PublicKeyCredential.toJSON()`). */
const webAuthnJson = z.record(z.string(), z.unknown())
/** Where the console goes on: a path of the console itself, such as `/console/keys?x=1`. */
const consolePath = z
  .string()
  .max(2048)
  .regex(/^\/console\/(?!\/)[^\\]*$/)

/** Whom a session belongs to; `/api/me` has more. */
export const signedInAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  is_email_verified: z.boolean(),
  has_password: z.boolean(),
  language: language.nullable(),
})

export const sessionSchema = z.object({
  id: z.string(),
  created_at: time,
  expires_at: time,
  last_seen_at: time,
  /** Until then dangerous steps ask for nothing. */
  fresh_until: time,
  /** As the browser names itself; empty: it did not. */
  client: z.string(),
  address: z.string(),
  is_current: z.boolean(),
})

export const sessionStateSchema = z.object({
  session: sessionSchema.nullable(),
  account: signedInAccountSchema.nullable(),
})

export const sessionListSchema = z.object({ data: z.array(sessionSchema) })

export const signInOptionsSchema = z.object({
  registration: z.enum(['closed', 'invitation', 'open']),
  /** Without one, nobody is mailed a link: an admin copies it. */
  has_mail_server: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  passkeys: z.object({
    /** Why the browser cannot use passkeys at this origin; null: it can. */
    impossible_because: z.enum(['insecure_context', 'ip_address']).nullable(),
  }),
  password: z.object({ shortest: z.int(), longest: z.int() }),
})

export const signInBodySchema = z.object({
  email: anyEmail,
  password: anyPassword,
  /** false: the session ends with the browser, and after a day at the latest. Default true. */
  keep: z.boolean().optional(),
})

export const signInAnswerSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('signed_in'), session: sessionSchema, account: signedInAccountSchema }),
  /** The password was right; go on with `POST second-step` within ten minutes. */
  z.object({ state: z.literal('second_step'), ways: z.array(z.enum(['totp', 'backup_code'])) }),
])

export const secondStepBodySchema = z.object({
  way: z.enum(['totp', 'backup_code']),
  code: z.string().trim().min(6).max(32),
  /** Spares this browser the second step for 30 days. */
  trust_browser: z.boolean().optional(),
})

export const signOutEverywhereBodySchema = z.object({
  /** Default true: all but this session. */
  keep_this: z.boolean().optional(),
})

/** Shows credentials again. A passkey is shown by `passkeys/sign-in/start` and `/finish` with the same account. */
export const confirmBodySchema = z.union([
  z.object({ password: anyPassword }).strict(),
  z.object({ totp: z.string().trim().min(6).max(12) }).strict(),
  z.object({ passkey: webAuthnJson }).strict(),
])

export const linkBodySchema = z.object({ token: linkToken })

export const setUpLookSchema = z.object({
  email: z.string(),
  /** Email and password must be chosen now; false (demo mode): they may. */
  must_choose: z.boolean(),
})

export const setUpBodySchema = z.object({
  token: linkToken,
  email: email.optional(),
  password: newPassword.optional(),
  name: personName.optional(),
})

export const invitationLookSchema = z.object({
  /** The address it was made for; null: any. */
  email: z.string().nullable(),
  role,
  expires_at: time,
})

export const signUpBodySchema = z.object({
  email,
  password: newPassword,
  name: personName.optional(),
  language: language.optional(),
  /** The invitation's token. Needed unless registration is open. */
  invitation: linkToken.optional(),
})

export const forgotBodySchema = z.object({ email: anyEmail })
export const emailBodySchema = z.object({ email })

/** `sent_by`: `mail` = look into the mailbox; `admin` = there is no mail server, ask an admin for the link. */
export const mailAnswerSchema = z.object({ sent_by: z.enum(['mail', 'admin']) })

export const emailAnswerSchema = z.object({ email: z.string() })

export const resetPasswordBodySchema = z.object({ token: linkToken, password: newPassword })

export const changePasswordBodySchema = z.object({
  /** Not needed while the account has none. */
  current_password: anyPassword.optional(),
  new_password: newPassword,
})

export const signInMethodsSchema = z.object({
  has_password: z.boolean(),
  totp: z.object({ is_on: z.boolean(), backup_codes_left: z.int().nullable() }),
  passkeys: z.array(
    z.object({ id: z.string(), name: z.string(), created_at: time.nullable(), is_synced: z.boolean() }),
  ),
  /** null: not linked. */
  oidc: z.object({ linked_at: time }).nullable(),
})

/** Shown this once. Nothing is switched on until `totp/finish`. */
export const totpStartSchema = z.object({
  /** For a QR code: `otpauth://totp/…`. */
  uri: z.string(),
  /** For typing: base32. */
  secret: z.string(),
  backup_codes: z.array(z.string()),
})

export const totpCodeBodySchema = z.object({ code: z.string().trim().min(6).max(12) })
export const backupCodesSchema = z.object({ backup_codes: z.array(z.string()) })

export const passkeyRegistrationBodySchema = z.object({ name: personName.min(1), credential: webAuthnJson })
export const passkeyBodySchema = z.object({ credential: webAuthnJson })

export const oidcStartBodySchema = z.object({
  /** `link` adds it to the account that is signed in (fresh). Default `sign_in`. */
  purpose: z.enum(['sign_in', 'link']).optional(),
  return_to: consolePath.optional(),
  invitation: linkToken.optional(),
})
export const oidcStartSchema = z.object({ url: z.url() })

export const invitationBodySchema = z.object({
  /** Only this address may use it, and counts as verified; null: any. */
  email: email.nullable(),
  role,
  expires_in_hours: z
    .int()
    .min(1)
    .max(24 * 90)
    .optional(),
})
export const invitationSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role,
  created_at: time,
  expires_at: time,
  /** The account that it made; null: nobody used it yet. */
  used_by: z.string().nullable(),
})
export const invitationListSchema = z.object({ data: z.array(invitationSchema) })
/** A link to be copied. */
export const linkMadeSchema = z.object({ url: z.url(), expires_at: time, was_mailed: z.boolean() })
export const invitationMadeSchema = z.object({ invitation: invitationSchema, link: linkMadeSchema })

export type SignInOptions = z.infer<typeof signInOptionsSchema>
export type SessionState = z.infer<typeof sessionStateSchema>
export type SessionView = z.infer<typeof sessionSchema>
export type SessionList = z.infer<typeof sessionListSchema>
export type SignedInAccount = z.infer<typeof signedInAccountSchema>
export type SignInBody = z.infer<typeof signInBodySchema>
export type SignInAnswer = z.infer<typeof signInAnswerSchema>
export type SecondStepBody = z.infer<typeof secondStepBodySchema>
export type ConfirmBody = z.infer<typeof confirmBodySchema>
export type SetUpLook = z.infer<typeof setUpLookSchema>
export type SetUpBody = z.infer<typeof setUpBodySchema>
export type InvitationLook = z.infer<typeof invitationLookSchema>
export type SignUpBody = z.infer<typeof signUpBodySchema>
export type MailAnswer = z.infer<typeof mailAnswerSchema>
export type EmailAnswer = z.infer<typeof emailAnswerSchema>
export type ResetPasswordBody = z.infer<typeof resetPasswordBodySchema>
export type ChangePasswordBody = z.infer<typeof changePasswordBodySchema>
export type SignInMethods = z.infer<typeof signInMethodsSchema>
export type TotpStart = z.infer<typeof totpStartSchema>
export type BackupCodes = z.infer<typeof backupCodesSchema>
export type OidcStartBody = z.infer<typeof oidcStartBodySchema>
export type OidcStart = z.infer<typeof oidcStartSchema>
export type InvitationView = z.infer<typeof invitationSchema>
export type InvitationList = z.infer<typeof invitationListSchema>
export type InvitationMade = z.infer<typeof invitationMadeSchema>
export type LinkMade = z.infer<typeof linkMadeSchema>
