import { existsSync, statSync } from 'node:fs'
import { ImportRefusal, type SourceReader } from './source.ts'
import { type SqlAccess, sqlSource } from './sources/sql-source.ts'

/**
 * Opens another gateway's database for reading: the path of an SQLite file, `postgres://…` or `mysql://…`. Throws
 * ImportRefusal with what stands in the way, without the password in the URL.
 */
export async function openSource(named: string): Promise<SourceReader> {
  try {
    return await sqlSource(await accessTo(named))
  } catch (error) {
    if (error instanceof ImportRefusal || !(error instanceof Error)) throw error
    throw new ImportRefusal(`${shownSource(named)} cannot be read (${reasonOf(error)}): check its name and access.`, {
      cause: error,
    })
  }
}

/** The source with a password that was given apart from it, in place of the one in its URL. */
export function withPassword(named: string, password: string | undefined): string {
  const url = password !== undefined && named.includes('://') ? URL.parse(named) : null
  if (url === null || password === undefined) return named
  url.password = encodeURIComponent(password)
  return url.href
}

/** Names a source as it may be printed. */
function shownSource(named: string): string {
  if (!named.includes('://')) return JSON.stringify(named)
  try {
    const { protocol, host, pathname } = new URL(named)
    return JSON.stringify(`${protocol}//${host}${pathname}`)
  } catch {
    return 'The source'
  }
}

async function accessTo(named: string): Promise<SqlAccess> {
  if (/^postgres(?:ql)?:\/\//.test(named)) return (await import('./sources/postgres-source.ts')).postgresAccess(named)
  if (named.startsWith('mysql://')) return (await import('./sources/mysql-source.ts')).mysqlAccess(named)
  if (named.includes('://')) {
    throw new ImportRefusal(
      `${shownSource(named)} is of no kind that can be read: name an SQLite file, postgres://… or mysql://….`,
    )
  }
  if (!existsSync(named)) throw new ImportRefusal(`There is no file ${shownSource(named)}: name the source’s database.`)
  if (!statSync(named).isFile())
    throw new ImportRefusal(`${shownSource(named)} is not a file: name the database itself.`)
  return (await import('./sources/sqlite-source.ts')).sqliteAccess(named)
}

/** A host name with several addresses fails with one error for each, and none of its own. */
function reasonOf(error: Error): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  return inner instanceof Error && inner.message !== '' ? inner.message : error.name
}
