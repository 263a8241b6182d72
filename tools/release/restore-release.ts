import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { thisHost } from '../../src/cluster/host-process.ts'
import { RELEASE_ENVIRONMENT } from './release-plan.ts'

/** What the tests of each release start from: see `tools/release-database.ts`. */
export const RELEASES_FOLDER = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'releases')

/** Files in the folder of a release. */
export const DUMPS = { sqlite: 'sqlite.sql.gz', postgres: 'postgres.sql.gz' } as const
export const FACTS = 'facts.json'

/** No operating system gives a process this number. */
const ENDED_PROCESS = 2_000_000_000

export interface ReleasePlace {
  /** null: the embedded database of the directory. */
  readonly databaseUrl: string | null
  readonly directory: string
}

/** What a gateway on the database needs. */
export function releaseEnvironment({ databaseUrl }: ReleasePlace): Readonly<Record<string, string>> {
  return { ...RELEASE_ENVIRONMENT, ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }) }
}

/**
 * Puts the database of a release into an empty place, as its last process left it when it was killed on this machine: the
 * next start gives back what that process held, and records what it left unfinished.
 */
export async function restoreRelease(release: string, { databaseUrl, directory }: ReleasePlace): Promise<void> {
  const file = databaseUrl === null ? DUMPS.sqlite : DUMPS.postgres
  const text = gunzipSync(await readFile(join(RELEASES_FOLDER, release, file))).toString()
  const host = thisHost(randomUUID).replaceAll("'", "''")
  const here = `update nodes set host = '${host}', process_id = ${ENDED_PROCESS};`
  if (databaseUrl === null) {
    using database = new DatabaseSync(join(directory, 'tollgate.db'), { enableForeignKeyConstraints: false })
    database.exec(`begin; ${text} ${here} commit`)
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // Sent together, they are one transaction.
    await client.query(`${text} ${here}`)
  } finally {
    await client.end()
  }
}
