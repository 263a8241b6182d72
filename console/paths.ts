/** Every page of the console, by its path below `/console`. */
export const PATHS = {
  overview: '/overview',
  start: '/start',
  keys: '/keys',
  key: '/keys/$keyId',
  usage: '/usage',
  keySpend: '/usage/keys',
  models: '/models',
  billing: '/billing',
  playground: '/playground',
  diagnose: '/diagnose',
  account: '/account',
  signIn: '/sign-in',
  setUp: '/set-up',
  invitation: '/invitation',
  register: '/register',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
} as const

/**
 * Where to go after signing in: only a path of this console, so that a link cannot lead elsewhere.
 * `//host` and `/\host` are other hosts to a browser.
 */
export function safeReturnPath(wish: string | undefined): string {
  if (wish === undefined || !/^\/[a-z]/.test(wish)) return PATHS.overview
  const isSignIn = wish.startsWith(PATHS.signIn)
  return isSignIn ? PATHS.overview : wish
}
