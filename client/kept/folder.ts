import { Failure, type Host, variable } from '../host.ts'

type Place = Pick<Host, 'system' | 'env' | 'home' | 'paths'>

/**
 * The folder of what this program keeps. Not `tollgate`, which is the data directory of a gateway that runs on the same
 * computer: a backup is restored there only while it is empty.
 */
export function dataFolder(host: Place): string {
  const { paths } = host
  if (host.system === 'windows') {
    const local = variable(host, 'LOCALAPPDATA')
    return paths.join(
      local !== undefined && paths.isAbsolute(local) ? local : inHome(host, 'AppData', 'Local'),
      'tollgate-client',
    )
  }
  const share = variable(host, 'XDG_DATA_HOME')
  return paths.join(
    share !== undefined && paths.isAbsolute(share) ? share : inHome(host, '.local', 'share'),
    'tollgate-client',
  )
}

/** A path in the person's home directory. */
export function inHome(host: Place, ...parts: readonly string[]): string {
  const { paths } = host
  if (!paths.isAbsolute(host.home)) throw new Failure('This user has no home directory: set HOME.')
  return paths.join(host.home, ...parts)
}

/** The folder of settings, where programs follow the rules of freedesktop.org on every system but Windows. */
export function configFolder(host: Place): string {
  const named = variable(host, 'XDG_CONFIG_HOME')
  const { paths } = host
  return named !== undefined && paths.isAbsolute(named) ? named : inHome(host, '.config')
}
