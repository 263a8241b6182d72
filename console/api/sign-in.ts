import type {
  BackupCodes,
  ChangePasswordBody,
  ConfirmBody,
  EmailAnswer,
  InvitationPreview,
  MailAnswer,
  OidcStart,
  OidcStartBody,
  ResetPasswordBody,
  SecondFactorCodeBody,
  SecondStepBody,
  SessionList,
  SessionState,
  SetUpBody,
  SetUpPreview,
  SignInAnswer,
  SignInBody,
  SignInMethods,
  SignInOptions,
  SignUpBody,
  TotpStart,
} from '../../src/contract/sign-in.ts'
import { apiPath, read, remove, request } from './request.ts'

/** What this server offers before signing in. */
export const signInOptionsQuery = read<SignInOptions>(['sign-in-options'], '/api/auth/options', {
  staleTime: 300_000,
})

/** How the own account can sign in. */
export const methodsQuery = read<SignInMethods>(['sign-in-methods'], '/api/auth/methods')

export const sessionsQuery = read<SessionList>(['sessions'], '/api/auth/sessions')

export const signIn = (body: SignInBody) => post<SignInAnswer>('/sign-in', body)

export const secondStep = (body: SecondStepBody) => post<SignInAnswer>('/second-step', body)

export const signOut = () => post<void>('/sign-out', {})

/** Ends every session but this one, and deletes the access tokens unless they are kept. */
export const signOutEverywhere = ({ keepsTokens }: { readonly keepsTokens: boolean }) =>
  post<void>('/sign-out-everywhere', { keep_this: true, end_access_tokens: !keepsTokens })

export const endSession = (id: string) => remove(apiPath`/api/auth/sessions/${id}`)

export const confirmIdentity = (body: ConfirmBody) => post<SessionState>('/confirm', body)

export const previewSetUp = (token: string) => post<SetUpPreview>('/set-up/preview', { token })

export const setUp = (body: SetUpBody) => post<SignInAnswer>('/set-up', body)

export const previewInvitation = (token: string) => post<InvitationPreview>('/invitation/preview', { token })

export const signUp = (body: SignUpBody) => post<SignInAnswer>('/sign-up', body)

export const forgotPassword = (email: string) => post<MailAnswer>('/password/forgot', { email })

export const resetPassword = (body: ResetPasswordBody) => post<void>('/password/reset', body)

export const changePassword = (body: ChangePasswordBody) => post<void>('/password/change', body)

export const verifyEmail = (token: string) => post<EmailAnswer>('/email/verify', { token })

export const sendVerification = () => post<MailAnswer>('/email/send', {})

export const changeEmail = (email: string) => post<MailAnswer>('/email/change', { email })

export const startTotp = () => post<TotpStart>('/totp/start', {})

export const finishTotp = (code: string) => post<SignInMethods>('/totp/finish', { code })

export const stopTotp = (body: SecondFactorCodeBody) => post<SignInMethods>('/totp/stop', body)

export const newBackupCodes = (body: SecondFactorCodeBody) => post<BackupCodes>('/totp/backup-codes', body)

export const startOidc = (body: OidcStartBody) => post<OidcStart>('/oidc/start', body)

export const unlinkOidc = () => remove<SignInMethods>('/api/auth/oidc')

function post<Answer>(path: string, body: object): Promise<Answer> {
  return request<Answer>(`/api/auth${path}`, { method: 'POST', body })
}
