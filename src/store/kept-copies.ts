import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What stands between the name of the database and the number of a copy that was kept of it. */
export const KEPT = '.kept-'

/** The copies that gateways kept in this directory when the files of their database were moved or deleted. */
export function keptCopies(dataDirectory: string): readonly string[] {
  const names = existsSync(dataDirectory) ? readdirSync(dataDirectory) : []
  return names.filter((name) => name.startsWith(`tollgate.db${KEPT}`)).map((name) => join(dataDirectory, name))
}
