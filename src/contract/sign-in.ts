import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { ROLES } from '../core/roles.ts'
import { PLAIN_NAME, TEXTS_OF_FORMS, textOf, usd } from './wire-values.ts'

/** The time after credentials were shown in which a session may take dangerous steps. */
export const FRESH_MINUTES = 15

const time = z.iso.datetime()
const email = z.email().max(BOUNDS.account.email.most)
/** An address of an account that exists: its form does not matter here (`admin@localhost` is one). */
const anyEmail = z.string().trim().min(3).max(254).includes('@')
const newPassword = textOf(BOUNDS.account.password)
const anyPassword = z.string().min(1).max(128)
const linkToken = z.string().min(20).max(128)
const personName = z.string().trim().max(BOUNDS.account.name.most).regex(PLAIN_NAME, TEXTS_OF_FORMS.plain_name)
const role = z.enum(ROLES)
const language = z.enum(['en', 'zh-CN'])
/** The browser's own JSON of a credential (`PublicKeyCredential.toJSON()`). */
const webAuthnJson = z.record(z.string(), z.unknown())
/** Where the console goes on: a path of the console itself, such as `/console/keys?x=1`. */
const consolePath = z
  .string()
  .max(2048)
  .regex(/^\/console\/(?!\/)[^\\]*$/, 'must be a path of the console, such as /console/keys')

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
  /** The end of the time in which dangerous steps ask for nothing. */
  fresh_until: time,
  /** The name that the browser gives itself; empty: none. */
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
  /** Whether links are mailed; without a mail server an admin copies them. */
  has_mail_server: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  passkeys: z.object({
    /** Why the browser cannot use passkeys at this origin; null: it can. */
    unavailable_because: z.enum(['insecure_context', 'ip_address']).nullable(),
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

/** A code of the second step, in a session. */
export const secondFactorCodeBodySchema = secondStepBodySchema.pick({ way: true, code: true })

const endAccessTokens = z
  .boolean()
  .default(true)
  .describe('all your access tokens are deleted; false: they keep working')

export const signOutEverywhereBodySchema = z.object({
  /** Default true: all but this session. */
  keep_this: z.boolean().optional(),
  end_access_tokens: endAccessTokens,
})

/** Shows credentials again. A passkey is shown by `passkeys/sign-in/start` and `/finish` with the same account. */
export const confirmBodySchema = z.union([
  z.object({ password: anyPassword }).strict(),
  z.object({ totp: z.string().trim().min(6).max(12) }).strict(),
  z.object({ passkey: webAuthnJson }).strict(),
])

export const linkBodySchema = z.object({ token: linkToken })

export const setUpPreviewSchema = z.object({
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

export const invitationPreviewSchema = z.object({
  /** The address it was made for; null: any. */
  email: z.string().nullable(),
  role,
  expires_at: time,
  /** What the account begins with; null: nothing. */
  credit: usd.nullable(),
  plan: z.object({ name: z.string(), days: z.int() }).nullable(),
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

/** `sent_by`: `mail` = check the inbox; `admin` = no mail server, ask an admin for the link. */
export const mailAnswerSchema = z.object({ sent_by: z.enum(['mail', 'admin']) })

export const emailAnswerSchema = z.object({ email: z.string() })

export const resetPasswordBodySchema = z.object({ token: linkToken, password: newPassword })

export const changePasswordBodySchema = z.object({
  /** Not needed while the account has none. */
  current_password: anyPassword.optional(),
  new_password: newPassword,
  end_access_tokens: endAccessTokens,
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
  /** A QR code shows it: `otpauth://totp/…`. */
  uri: z.string(),
  /** The secret in base32, to be typed. */
  secret: z.string(),
  backup_codes: z.array(z.string()),
})

export const totpCodeBodySchema = z.object({ code: z.string().trim().min(6).max(12) })
export const backupCodesSchema = z.object({ backup_codes: z.array(z.string()) })

export const passkeyRegistrationBodySchema = z.object({ name: personName.min(1), credential: webAuthnJson })
export const passkeyBodySchema = z.object({ credential: webAuthnJson })
/** The browser's JSON of a challenge: what `navigator.credentials` takes. */
export const passkeyChallengeSchema = webAuthnJson

export const oidcStartBodySchema = z.object({
  /** `link` adds it to the account that is signed in (fresh). Default `sign_in`. */
  purpose: z.enum(['sign_in', 'link']).optional(),
  return_to: consolePath.optional(),
  invitation: linkToken.optional(),
})
export const oidcStartSchema = z.object({ url: z.url() })

/** A link to be copied. */
export interface LinkMade {
  readonly url: string
  readonly expires_at: string
  readonly was_mailed: boolean
}

export type SignInOptions = z.infer<typeof signInOptionsSchema>
export type SessionState = z.infer<typeof sessionStateSchema>
export type SessionView = z.infer<typeof sessionSchema>
export type SessionList = z.infer<typeof sessionListSchema>
export type SignedInAccount = z.infer<typeof signedInAccountSchema>
export type SignInBody = z.infer<typeof signInBodySchema>
export type SignInAnswer = z.infer<typeof signInAnswerSchema>
export type SecondStepBody = z.infer<typeof secondStepBodySchema>
export type ConfirmBody = z.infer<typeof confirmBodySchema>
export type SetUpPreview = z.infer<typeof setUpPreviewSchema>
export type SetUpBody = z.infer<typeof setUpBodySchema>
export type InvitationPreview = z.infer<typeof invitationPreviewSchema>
export type SignUpBody = z.infer<typeof signUpBodySchema>
export type MailAnswer = z.infer<typeof mailAnswerSchema>
export type EmailAnswer = z.infer<typeof emailAnswerSchema>
export type ResetPasswordBody = z.infer<typeof resetPasswordBodySchema>
export type ChangePasswordBody = z.infer<typeof changePasswordBodySchema>
export type SecondFactorCodeBody = z.infer<typeof secondFactorCodeBodySchema>
export type SignInMethods = z.infer<typeof signInMethodsSchema>
export type TotpStart = z.infer<typeof totpStartSchema>
export type BackupCodes = z.infer<typeof backupCodesSchema>
export type OidcStartBody = z.infer<typeof oidcStartBodySchema>
export type OidcStart = z.infer<typeof oidcStartSchema>
