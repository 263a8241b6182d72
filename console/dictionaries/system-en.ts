import { plural } from './plural.ts'

export const texts = {
  title: 'System',
  lead: 'The state of nodes, database and backups.',
  nodes: {
    title: 'Nodes',
    lead: (version: string, node: string) =>
      `Tollgate ${version} on Node.js ${node}. Each thread that serves requests is a node.`,
    columns: {
      name: 'Host and process',
      since: 'Since',
      version: 'Version',
      load: 'Load',
      clock: 'Clock',
      state: 'State',
    },
    load: (requests: number, shown: string, busy: string) =>
      `${plural(requests, { one: '1 request', other: `${shown} requests` })}, ${busy} busy`,
    clock: {
      inStep: 'Accurate',
      unknown: 'Not checked yet',
      database: (by: string, isAhead: boolean) => `${by} ${isAhead ? 'ahead of' : 'behind'} the database`,
      providers: (by: string, isAhead: boolean) => `${by} ${isAhead ? 'ahead of' : 'behind'} providers`,
    },
    name: (host: string, process: string) => `${host}, process ${process}`,
    here: 'This page',
    follows: 'Up to date',
    behind: (count: number, shown: string) =>
      plural(count, { one: `${shown} change behind`, other: `${shown} changes behind` }),
  },
  process: {
    title: 'This process',
    lead: 'The process that served this page, with all of its threads.',
    started: 'Started',
    threads: 'Threads',
    memory: 'Memory',
    inFlight: 'Requests in progress',
    leaseGrants: 'Lease grants since start',
    settleQueue: 'Pending settlements',
    setAside: 'Settlements set aside',
    setAsideWarning: 'Charges that could not be recorded. See the log for details.',
  },
  database: {
    title: 'Database',
    engine: 'Type',
    engines: { sqlite: 'Embedded SQLite', postgres: 'PostgreSQL' },
    size: 'Size',
    wal: 'Write-ahead log',
    growth: 'Growth',
    perDay: (size: string) => `${size} per day`,
    growthUnknown: 'Available after one day',
    disk: 'Disk',
    free: (free: string, all: string) => `${free} of ${all} free`,
    fullIn: (days: number, shown: string) =>
      plural(days, {
        one: 'At this rate, full in 1 day.',
        other: `At this rate, full in ${shown} days.`,
      }),
    schema: 'Schema',
    migrations: (count: string, newest: string) => `${count} migrations, latest ${newest}`,
    beforeUpgrade:
      'Before you upgrade, run this with the new version: it says what the upgrade changes, what it locks and how long it takes, and changes nothing.',
    check: 'Preview an upgrade',
    tables: 'Largest tables',
    tablesUnknown: 'The database is too large to measure its tables here.',
    table: 'Table',
    rows: 'Rows',
    indexes: 'Including indexes.',
  },
  backups: {
    title: 'Backups',
    lead: (hours: number, shown: string, keep: string) =>
      `${plural(hours, { one: 'Every hour', other: `Every ${shown} hours` })} to TOLLGATE_BACKUP_DIR. The latest ${keep} are kept.`,
    none: 'Automatic backups are off. To turn them on, set TOLLGATE_BACKUP_DIR and restart.',
    postgres: 'Back up PostgreSQL with its own tools: pg_dump or base backups.',
    old: (hours: string) => `The latest backup is missing or more than ${hours} hours old.`,
    withoutSecret:
      'Backups don’t include the installation’s secret. Keep it elsewhere, or set TOLLGATE_BACKUP_PASSPHRASE.',
    now: 'Back up now',
    rehearse: 'Test a restore',
    rehearseHint:
      'Restores the latest backup to a temporary copy, upgrades it to this version and checks its ledger. The running database isn’t touched.',
    running: { backup: 'Backing up…', rehearsal: 'Testing a restore…' },
    share: 'Progress',
    ended: {
      backup: (file: string, took: string) => `Created ${file} in ${took}.`,
      rehearsal: (file: string, took: string) => `${file} can be restored, and its ledger is correct. It took ${took}.`,
    },
    proved: (accounts: string, entries: string) => `${accounts} accounts, ${entries} ledger entries.`,
    disagree: (file: string, count: string) => `The ledger in ${file} has ${count} discrepancies.`,
    failed: {
      backup: (why: string) => `The backup failed: ${why}.`,
      rehearsal: (why: string) => `The restore test failed: ${why}.`,
    },
    file: 'Backup file',
    made: 'Created',
    fileSize: 'Size',
    noFiles: 'No backups yet.',
  },
  retention: {
    title: 'Retention',
    lead: 'What is deleted once it’s too old. Records are archived first; balances, the ledger and all sums stay.',
    periods: 'Retention periods',
    kinds: {
      usage: 'Usage records',
      refusals: 'Refused requests',
      tries: 'Requests with a wrong key',
      audit: 'Audit entries',
      sessions: 'Expired sessions',
    },
    columns: {
      kind: 'Records',
      keep: 'Kept',
      next: 'Next run deletes',
      variable: 'Set by',
      archive: 'Archive',
      written: 'Written',
      records: 'Records',
      size: 'Size',
    },
    forEver: 'Forever',
    days: (count: number, shown: string) => plural(count, { one: '1 day', other: `${shown} days` }),
    due: (count: string, before: string) => `${count} from before ${before}`,
    last: (time: string, took: string, deleted: string) => `Last run ${time}, in ${took}. Deleted: ${deleted}.`,
    nothing: 'nothing',
    noRun: 'No run since this process started.',
    next: (time: string) => `Next run ${time}.`,
    running: 'A run is in progress.',
    failed: (why: string) => `The last run failed, and is repeated within the hour: ${why}.`,
    unusable: (names: string) =>
      `Archives are missing or changed, so their records stay: ${names}. Put the files back.`,
    archives: 'Archives',
    archived: ({ files, records, size }: { files: string; records: string; size: string }, directory: string) =>
      `${records} records are archived in ${files} files (${size}) in ${directory}. The newest:`,
    noArchives: (directory: string) => `No archives yet. They’re written to ${directory}.`,
    unfinished: 'In progress',
  },
}

export type SystemTexts = typeof texts
