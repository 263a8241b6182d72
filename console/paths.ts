/** Every page of the console, by its path below `/console`. */
export const PATHS = {
  overview: '/overview',
  keys: '/keys',
  devices: '/keys/devices',
  key: '/keys/$keyId',
  usage: '/usage',
  keySpend: '/usage/keys',
  tagSpend: '/usage/tags',
  models: '/models',
  billing: '/billing',
  playground: '/playground',
  account: '/account',
  device: '/device',
  signIn: '/sign-in',
  setUp: '/set-up',
  invitation: '/invitation',
  register: '/register',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  publicModels: '/prices',
  publicStatus: '/status',
  publicKeyCheck: '/check-key',
} as const

/** Where the console opens: `home.ts` knows on which page. */
export const HOME = '/'

/** The pages that need no sign-in, by the names that the API has for them, in the order in which they are named. */
export const PUBLIC_PAGES = [
  { name: 'models', path: PATHS.publicModels },
  { name: 'status', path: PATHS.publicStatus },
  { name: 'key_check', path: PATHS.publicKeyCheck },
] as const

/**
 * Where to go after signing in: only a path of this console, so that a link cannot lead elsewhere.
 * `//host` and `/\host` are other hosts to a browser.
 */
export function safeReturnPath(path: string | undefined): string {
  if (path === undefined || !/^\/[a-z]/.test(path)) return HOME
  const isSignIn = path.startsWith(PATHS.signIn)
  return isSignIn ? HOME : path
}
