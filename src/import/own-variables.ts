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
