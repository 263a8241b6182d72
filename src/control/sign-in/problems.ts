import { Problem } from '../problem.ts'

/** The problems of signing in that more than one route has. */
export function linkInvalid(): Problem {
  return new Problem('link_invalid', 'This link was already used, has expired or was withdrawn: ask for a new one.')
}

export function credentialsWrong(): Problem {
  return new Problem(
    'credentials_wrong',
    'Email or password is wrong. Check both, or ask for a new password with "Forgot password".',
  )
}

export function emailTaken(remedy: string): Problem {
  return new Problem('email_taken', `An account already has this address: ${remedy}.`, { field: 'email' })
}

/** `code`: whether wrong credentials were counted, or something that is allowed only so often. */
export function throttled(
  code: 'credential_throttled' | 'too_many_requests',
  { retryAfterSeconds, why }: { readonly retryAfterSeconds: number; readonly why: string },
): Problem {
  const wait = retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`
  return new Problem(code, `${why}: wait ${wait}, then try again.`, { retryAfterSeconds })
}
