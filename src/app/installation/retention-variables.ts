import { text, variable, wholeNumber } from './variable.ts'

const MOST_DAYS = 36_500

/** null: for ever. */
const kept = <const Unset extends number | null>(
  name: string,
  what: string,
  { fewest, unset }: { readonly fewest: number; readonly unset: Unset },
) =>
  variable({
    name,
    meaning: `days for which ${what}`,
    ifUnset: unset === null ? 'for ever' : String(unset),
    ...wholeNumber(fewest, MOST_DAYS, 'days'),
    more: 'See [retention](#retention)',
    unset,
  })

/** How long things are kept, in days. */
export const RETENTION_VARIABLES = {
  // A request may run for an hour, and a settle wait for a disk that is full.
  keepUsage: kept('TOLLGATE_KEEP_USAGE_DAYS', 'usage records stay in the database', { fewest: 7, unset: null }),
  keepRefusals: kept('TOLLGATE_KEEP_REFUSALS_DAYS', 'refused requests do that cost nothing', {
    fewest: 7,
    unset: null,
  }),
  keepTries: kept(
    'TOLLGATE_KEEP_TRIES_DAYS',
    'refused requests do that had a wrong key or a path that does not exist',
    { fewest: 1, unset: null },
  ),
  keepAudit: kept('TOLLGATE_KEEP_AUDIT_DAYS', 'audit entries stay in the database', { fewest: 30, unset: null }),
  keepSessions: kept('TOLLGATE_KEEP_SESSIONS_DAYS', 'a session of the console is kept after it has expired', {
    fewest: 0,
    unset: 30,
  }),
  keepAlerts: kept('TOLLGATE_KEEP_ALERTS_DAYS', 'alerts are kept', { fewest: 30, unset: 90 }),
  archiveDir: variable({
    name: 'TOLLGATE_ARCHIVE_DIR',
    meaning: 'the directory into which records and audit entries are written before they are deleted',
    ifUnset: 'archive in TOLLGATE_DATA_DIR',
    takes: 'a path; required with DATABASE_URL where something is deleted',
    more: 'See [retention](#retention)',
    value: text(),
  }),
} as const
