import { queryOptions } from '@tanstack/react-query'
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
import { read, request } from './request.ts'

/** What this server offers before signing in. */
export const signInOptionsQuery = queryOptions({
  ...read<SignInOptions>(['sign-in-options'], '/api/auth/options'),
  staleTime: 300_000,
})

/** How the own account can sign in. */
export const methodsQuery = read<SignInMethods>(['sign-in-methods'], '/api/auth/methods')

export const sessionsQuery = read<SessionList>(['sessions'], '/api/auth/sessions')

export function signIn(body: SignInBody): Promise<SignInAnswer> {
  return post('/sign-in', body)
}

export function secondStep(body: SecondStepBody): Promise<SignInAnswer> {
  return post('/second-step', body)
}

export function signOut(): Promise<void> {
  return post('/sign-out', {})
}

/** Ends every session but this one, and deletes the access tokens unless they are kept. */
export function signOutEverywhere({ keepsTokens }: { readonly keepsTokens: boolean }): Promise<void> {
  return post('/sign-out-everywhere', { keep_this: true, end_access_tokens: !keepsTokens })
}

export function endSession(id: string): Promise<void> {
  return request(`/api/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

export function confirmIdentity(body: ConfirmBody): Promise<SessionState> {
  return post('/confirm', body)
}

export function previewSetUp(token: string): Promise<SetUpPreview> {
  return post('/set-up/preview', { token })
}

export function setUp(body: SetUpBody): Promise<SignInAnswer> {
  return post('/set-up', body)
}

export function previewInvitation(token: string): Promise<InvitationPreview> {
  return post('/invitation/preview', { token })
}

export function signUp(body: SignUpBody): Promise<SignInAnswer> {
  return post('/sign-up', body)
}

export function forgotPassword(email: string): Promise<MailAnswer> {
  return post('/password/forgot', { email })
}

export function resetPassword(body: ResetPasswordBody): Promise<void> {
  return post('/password/reset', body)
}

export function changePassword(body: ChangePasswordBody): Promise<void> {
  return post('/password/change', body)
}

export function verifyEmail(token: string): Promise<EmailAnswer> {
  return post('/email/verify', { token })
}

export function sendVerification(): Promise<MailAnswer> {
  return post('/email/send', {})
}

export function changeEmail(email: string): Promise<MailAnswer> {
  return post('/email/change', { email })
}

export function startTotp(): Promise<TotpStart> {
  return post('/totp/start', {})
}

export function finishTotp(code: string): Promise<SignInMethods> {
  return post('/totp/finish', { code })
}

export function stopTotp(body: SecondFactorCodeBody): Promise<SignInMethods> {
  return post('/totp/stop', body)
}

export function newBackupCodes(body: SecondFactorCodeBody): Promise<BackupCodes> {
  return post('/totp/backup-codes', body)
}

export function startOidc(body: OidcStartBody): Promise<OidcStart> {
  return post('/oidc/start', body)
}

export function unlinkOidc(): Promise<SignInMethods> {
  return request('/api/auth/oidc', { method: 'DELETE' })
}

function post<Answer>(path: string, body: object): Promise<Answer> {
  return request<Answer>(`/api/auth${path}`, { method: 'POST', body })
}
