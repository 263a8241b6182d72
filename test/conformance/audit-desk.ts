import { randomBytes } from 'node:crypto'
import { openStore as openAny } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { AuditEntry } from '../../src/access/audit.ts'
import type { Environment } from '../../src/app/installation/environment.ts'
import { runCommandLine } from '../../src/app/cli/command-line.ts'
import { cliHostByHand } from '../support/cli-host-by-hand.ts'
import { NOON, noonClock } from './store-fixtures.ts'
import { type EngineName, newPlace, type Place } from './store-under-test.ts'
import { type Contents, contentsOf } from './table-contents.ts'

export const SECRET = 'a-secret-of-the-audit-tests-32-characters'

/** The audit of a database on which commands are run in this process, with one store for all of them. */
export interface AuditDesk {
  readonly place: Place
  readonly store: Store
  run(args: readonly string[], more?: { stdin?: string; environment?: Environment }): Promise<Ran>
  /** Everything that is administered, and what belongs to anyone. */
  administered(): Promise<Contents>
  /** What was written into the audit while `work` ran, oldest first. */
  entriesOf(work: () => Promise<void>): Promise<readonly AuditEntry[]>
}

export interface Ran {
  readonly code: number
  readonly printed: string
  readonly remarked: string
}

/** News for other nodes; and what is asked for here by itself. */
const NEWS = ['changes', 'change_seq', 'audit_entries']
/** What applying a file remembers of itself. The names of the settings that it manages are audited. */
const REMEMBERED = /"name":\s*"(declared_(?!settings")|secret)/

export async function auditDesk(engine: EngineName): Promise<AuditDesk> {
  const place = await newPlace(engine)
  const store = await place.open(noonClock)
  const own = {
    TOLLGATE_DATA_DIR: place.directory,
    TOLLGATE_SECRET: SECRET,
    ...(place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }),
  }
  const newest = () => store.audit.page({ after: null, limit: 1000 })
  return {
    place,
    store,
    async run(args, { stdin = '', environment = {} } = {}) {
      const { host, printed, remarked } = cliHostByHand({
        environment: { ...own, ...environment },
        input: (async function* () {
          yield stdin
        })(),
        openStore: async ({ dataDir }) =>
          dataDir === place.directory
            ? { ...store, close: async () => {} }
            : openAny({ databaseUrl: null, dataDirectory: dataDir, clock: noonClock }),
        nowMs: () => NOON,
        randomBytes,
      })
      const code = await runCommandLine(args, host)
      return { code, printed: printed.join(''), remarked: remarked.join('') }
    },
    async administered() {
      const { settings = [], ...others } = await contentsOf(place, NEWS)
      return { ...others, settings: settings.filter((row) => !REMEMBERED.test(row)) }
    },
    async entriesOf(work) {
      const before = new Set((await newest()).map(({ id }) => id))
      await work()
      return (await newest()).filter(({ id }) => !before.has(id)).toReversed()
    },
  }
}
