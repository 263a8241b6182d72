/** Whether a variable is this gateway's, or one of the machine that no provider is to have. Windows knows no case in names. */
export function isOwnVariable(name: string): boolean {
  return OWN_FAMILIES.test(name) || OWN_NAMES.test(name)
}

const OWN_FAMILIES =
  /^(?:TOLLGATE|OTEL|DATABASE|REDIS|IMPORT|POSTGRES|POSTGRESQL|MYSQL|NODE|NPM|AWS|SSH|GPG|GIT|CI|DOCKER|KUBERNETES|SYSTEMD|XDG|DBUS|LC|LD|SUDO)(?:_|$)|^PG[A-Z]/i
const OWN_NAMES =
  /^(?:HOME|PATH|PWD|USER|SHELL|TERM|LANG|HOSTNAME|LOGNAME|TMPDIR|KUBECONFIG|CREDENTIALS_DIRECTORY|GOOGLE_APPLICATION_CREDENTIALS|LITELLM_MASTER_KEY|LITELLM_SALT_KEY|(?:HTTPS?|ALL|NO)_PROXY)$/i
