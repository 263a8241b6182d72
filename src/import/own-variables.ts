/** Whether a variable is this gateway's, or one of the machine that no provider is to have. Windows knows no case in names. */
export function isOwnVariable(name: string): boolean {
  const given = name.toUpperCase()
  const [family = ''] = given.split('_')
  return FAMILIES.has(family) || NAMES.has(given) || /^PG[A-Z]/.test(given)
}

/** What stands before the first `_`, or is all of the name. */
const FAMILIES: ReadonlySet<string> = new Set(
  (
    'TOLLGATE OTEL DATABASE REDIS IMPORT POSTGRES POSTGRESQL MYSQL NODE NPM AWS SSH GPG GIT CI DOCKER KUBERNETES ' +
    'SYSTEMD XDG DBUS LC LD SUDO'
  ).split(' '),
)
const NAMES: ReadonlySet<string> = new Set(
  (
    'HOME PATH PWD USER SHELL TERM LANG HOSTNAME LOGNAME TMPDIR KUBECONFIG CREDENTIALS_DIRECTORY HTTP_PROXY HTTPS_PROXY ' +
    'ALL_PROXY NO_PROXY GOOGLE_APPLICATION_CREDENTIALS LITELLM_MASTER_KEY LITELLM_SALT_KEY'
  ).split(' '),
)

/**
 * Variables of the machine that requests to AWS are signed with. A signature says nothing of the secret that it is made with, so
 * these may be read for that, and never for a provider that a secret is sent to.
 */
export function isSigningVariable(name: string): boolean {
  return SIGNING.has(name)
}

const SIGNING: ReadonlySet<string> = new Set(
  (
    'AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_REGION_NAME AWS_REGION AWS_ROLE_NAME AWS_SESSION_NAME ' +
    'AWS_PROFILE_NAME AWS_EXTERNAL_ID'
  ).split(' '),
)
