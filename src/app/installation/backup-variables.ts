import { text, variable, wholeNumber } from './variable.ts'

const MOST_HOURS = 24 * 90
const MOST_KEPT = 1_000
const SHORTEST_PASSPHRASE = 12

/** Backups of the embedded database. */
export const BACKUP_VARIABLES = {
  backupDir: variable({
    name: 'TOLLGATE_BACKUP_DIR',
    meaning: 'the directory into which the gateway backs up the embedded database',
    ifUnset: 'no backups are made by themselves',
    takes: 'a path',
    more: 'See [backups](#backups)',
    value: text(),
  }),
  /** Hours. */
  backupEvery: variable({
    name: 'TOLLGATE_BACKUP_HOURS',
    meaning: 'hours from one of those backups to the next',
    ...wholeNumber(1, MOST_HOURS, 'hours'),
    unset: 24,
  }),
  backupKeep: variable({
    name: 'TOLLGATE_BACKUP_KEEP',
    meaning: 'how many backups of a directory are kept; older ones are deleted',
    ...wholeNumber(1, MOST_KEPT),
    unset: 14,
  }),
  backupPassphrase: variable({
    name: 'TOLLGATE_BACKUP_PASSPHRASE',
    meaning: 'encrypts the secret in backups, and opens it again; without one the secret is not in them',
    takes: `at least ${SHORTEST_PASSPHRASE} characters`,
    isSecret: true,
    value: text().where((given) => given.length >= SHORTEST_PASSPHRASE),
  }),
  /** null: those in `backupDir`, where it is set. */
  backupFiles: variable({
    name: 'TOLLGATE_BACKUP_FILES',
    meaning: 'where something of yours writes backups: admins are alerted when the newest is old or missing',
    ifUnset: 'those in TOLLGATE_BACKUP_DIR',
    takes: 'a directory, or a path with * in its last part, such as /var/backups/tollgate-*.db',
    more: 'See [backups](#backups)',
    value: text(),
  }),
  backupMaxAgeHours: variable({
    name: 'TOLLGATE_BACKUP_MAX_AGE_HOURS',
    meaning: 'how old the newest backup may be',
    ...wholeNumber(1, 8_760),
    unset: 26,
  }),
} as const
