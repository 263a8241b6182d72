/** What a program that signs in is refused with (RFC 6749, 5.2; RFC 8628, 3.5). The message is public and names no code or token. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: OAuthErrorCode,
    message: string,
    { status = 400, retryAfterSeconds }: { readonly status?: number; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_token'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable'
