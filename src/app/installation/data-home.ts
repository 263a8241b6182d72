import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Where data are kept while TOLLGATE_DATA_DIR is unset: in a checkout its folder `data`, so that every checkout has its own;
 * for an installed package the user's data home, so that it is the same wherever the command is entered.
 */
export function defaultDataDirectory(
  environment: HomeVariables,
  { isCheckout = IS_CHECKOUT, system = process.platform }: { isCheckout?: boolean; system?: string } = {},
): string {
  if (isCheckout) return './data'
  return join(dataHome(environment, system), 'tollgate')
}

/** The path of data in `./data`, where packages kept theirs until 23 November 2026 and which are not used now; null: there are none. */
export function overlookedData(dataDirectory: string, isThere = existsSync): string | null {
  if (!isAbsolute(dataDirectory)) return null
  return isThere(join('data', 'tollgate.db')) && isThere(join('data', 'secret')) ? './data' : null
}

type HomeVariables = Readonly<Record<string, string | undefined>>

/** A package is published without its sources (bin/tollgate.js goes by the same). */
const IS_CHECKOUT = existsSync(new URL('../../../src', import.meta.url))

function dataHome(environment: HomeVariables, system: string): string {
  // A relative path there is to be ignored (XDG Base Directory Specification).
  const given = environment['XDG_DATA_HOME'] ?? ''
  if (isAbsolute(given)) return given
  const home = environment['HOME'] ?? ''
  const user = isAbsolute(home) ? home : homedir()
  return system === 'win32'
    ? (environment['LOCALAPPDATA'] ?? join(user, 'AppData', 'Local'))
    : join(user, '.local', 'share')
}
