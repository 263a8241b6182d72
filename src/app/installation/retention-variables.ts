import { text, variable, wholeNumber } from './variable.ts'

const MOST_DAYS = 36_500

const kept = (name: string, what: string, fewest: number) =>
  variable({
    name,
    meaning: `days for which ${what}`,
    ifUnset: 'for ever',
    takes: `a whole number of days from ${fewest} to ${MOST_DAYS}`,
    more: 'See [retention](#retention)',
    isSecret: false,
    value: wholeNumber(MOST_DAYS).where((days) => days >= fewest),
    unset: null,
  })

/** How long things are kept, in days; null: for ever. */
export const RETENTION_VARIABLES = {
  // A request may run for an hour, and a settle wait for a disk that is full.
  keepUsage: kept('TOLLGATE_KEEP_USAGE_DAYS', 'usage records stay in the database', 7),
  keepRefusals: kept('TOLLGATE_KEEP_REFUSALS_DAYS', 'refused requests do that cost nothing', 7),
  keepTries: kept(
    'TOLLGATE_KEEP_TRIES_DAYS',
    'refused requests do that had a wrong key or a path that does not exist',
    1,
  ),
  keepAudit: kept('TOLLGATE_KEEP_AUDIT_DAYS', 'audit entries stay in the database', 30),
  keepSessions: variable({
    name: 'TOLLGATE_KEEP_SESSIONS_DAYS',
    meaning: 'days for which a session of the console is kept after it has expired',
    ifUnset: '30',
    takes: `a whole number of days from 0 to ${MOST_DAYS}`,
    more: 'See [retention](#retention)',
    isSecret: false,
    value: wholeNumber(MOST_DAYS),
    unset: 30,
  }),
  keepAlerts: variable({
    name: 'TOLLGATE_KEEP_ALERTS_DAYS',
    meaning: 'days for which alerts are kept',
    ifUnset: '90',
    takes: `a whole number of days from 30 to ${MOST_DAYS}`,
    more: 'See [retention](#retention)',
    isSecret: false,
    value: wholeNumber(MOST_DAYS).where((days) => days >= 30),
    unset: 90,
  }),
  archiveDir: variable({
    name: 'TOLLGATE_ARCHIVE_DIR',
    meaning: 'the directory into which records and audit entries are written before they are deleted',
    ifUnset: 'archive in TOLLGATE_DATA_DIR',
    takes: 'a path; required with DATABASE_URL where something is deleted',
    more: 'See [retention](#retention)',
    isSecret: false,
    value: text(),
    unset: null,
  }),
} as const
