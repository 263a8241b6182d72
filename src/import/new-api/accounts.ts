import { isBroughtHash } from '../../access/password.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ImportNotes, PlannedAccount, Product, ImportSettings } from '../import-plan.ts'
import { ONE_THRESHOLD, isSameIssuer, OTHER_ISSUER } from '../user-notes.ts'
import { entriesOf, integerIn, jsonIn, secondsIn, textIn, isTrueIn, words } from '../source.ts'
import type { Row, SourceReader } from '../source.ts'
import { plannedRows } from '../planned-rows.ts'
import type { GroupsOfUsers } from './groups.ts'
import type { QuotaInUsd } from './options.ts'

const COLUMNS = words(
  'username display_name email password role status quota group deleted_at created_at github_id discord_id',
  'telegram_id wechat_id linux_do_id oidc_id setting',
)
const DELETED_THERE = 'deleted there: neither they nor their keys are imported'
const OUTSIDE = ['github_id', 'discord_id', 'telegram_id', 'wechat_id', 'linux_do_id']
const ACTIVE = 1n
const DELETED = 3n
const LEAST_ADMIN = 10n
const LONGEST_EMAIL = 254
const LONGEST_NAME = 100

/** The users that are not deleted, as rows. */
export function readUsers(source: SourceReader, notes: ImportNotes): Promise<readonly Row[]> {
  return plannedRows(source, { table: 'users', columns: COLUMNS, notes }, (row) =>
    row['deleted_at'] == null && integerIn(row, 'status') !== DELETED ? row : DELETED_THERE,
  )
}

/** The group of a user, by which the source charges where a key names none. */
export function groupOf(user: Row): string {
  return textIn(user, 'group').trim() || 'default'
}

export function planAccounts(
  users: readonly Row[],
  about: {
    readonly product: Product
    readonly groups: GroupsOfUsers
    readonly quota: QuotaInUsd
    readonly settings: ImportSettings
    readonly notes: ImportNotes
    /** The issuer of the source’s OIDC provider; empty: it has none. */
    readonly issuer: string
  },
): readonly PlannedAccount[] {
  const taken = new Set<string>()
  return users.map((user) => {
    const id = textIn(user, 'id')
    for (const column of OUTSIDE.filter((each) => textIn(user, each) !== '')) {
      const way = column.replace('_id', '')
      about.notes.note('users', id, `sign-in by ${way} is not carried: they sign in by password or a link`)
    }
    const hash = textIn(user, 'password')
    return {
      id,
      email: addressOf(user, { ...about, taken }),
      name: (textIn(user, 'display_name') || textIn(user, 'username')).slice(0, LONGEST_NAME),
      passwordHash: isBroughtHash(hash) ? hash : null,
      role: about.settings.admins !== 'none' && (integerIn(user, 'role') ?? 0n) >= LEAST_ADMIN ? 'admin' : 'user',
      isActive: integerIn(user, 'status') === ACTIVE,
      balance: balanceOf(user, about),
      stated: `${integerIn(user, 'quota') ?? 0n} units`,
      madeOf: textIn(user, 'username'),
      openGroups: about.groups.openTo(groupOf(user)),
      limits: { concurrency: null, requestsPerMinute: null },
      createdAt: secondsIn(user, 'created_at'),
      oidcSubject: oidcSubjectOf(user, about),
      wantsMail: wantsMail(user, about.notes),
    }
  })
}

function oidcSubjectOf(
  user: Row,
  { issuer, settings, notes }: { issuer: string; settings: ImportSettings; notes: ImportNotes },
): string | null {
  const subject = textIn(user, 'oidc_id').trim()
  if (subject === '') return null
  if (isSameIssuer(issuer, settings.oidcIssuer)) return subject
  notes.note('users', textIn(user, 'id'), OTHER_ISSUER)
  return null
}

/** What a user has set beside it is named. */
function wantsMail(user: Row, notes: ImportNotes): boolean | null {
  const set = new Map(entriesOf(jsonIn(user, 'setting')))
  const way = set.get('notify_type')
  for (const [name, value] of set) {
    const why = name === 'quota_warning_threshold' ? ONE_THRESHOLD : ''
    if (name !== 'notify_type' && ![null, '', 0, false].some((unset) => unset === value))
      notes.note('users', textIn(user, 'id'), `have ${name} in their setting, which is not carried${why}`)
  }
  return typeof way === 'string' && way !== '' ? way === 'email' : null
}

/** The source needs no address, and lets several users have the same. */
function addressOf(
  user: Row,
  { product, taken, notes }: { product: Product; taken: Set<string>; notes: ImportNotes },
): string {
  const id = textIn(user, 'id')
  const given = textIn(user, 'email').trim()
  const isUsable = /^[^\s@<>"]+@[^\s@<>"]+$/.test(given) && given.length <= LONGEST_EMAIL
  if (isUsable && !taken.has(given.toLowerCase())) {
    taken.add(given.toLowerCase())
    return given
  }
  const username = textIn(user, 'username')
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(username)
  const made = `${isPlain ? username : `user-${id}`}@${product}.invalid`
  const free = taken.has(made.toLowerCase()) ? `user-${id}@${product}.invalid` : made
  taken.add(free.toLowerCase())
  const why = given === '' ? 'without an email address' : 'whose email address is another’s, or none'
  const by = free.startsWith('user-') ? 'user-ID' : 'USERNAME'
  notes.note('users', id, `${why}: the account is ${by}@${product}.invalid`)
  return free
}

function balanceOf(
  user: Row,
  { quota, settings, notes }: { quota: QuotaInUsd; settings: ImportSettings; notes: ImportNotes },
): NanoUsd {
  const units = integerIn(user, 'quota') ?? 0n
  if (units >= 0n) return quota.nano(units)
  const id = textIn(user, 'id')
  if (settings.negative === 'zero') {
    notes.note('users', id, 'owes something there, and begins with 0 here')
    return ZERO_NANO_USD
  }
  notes.note('users', id, 'owes something, and does so here')
  return quota.nano(units)
}

/** Columns of which only who and whether is looked at; the others are of no use without each other. */
const SECOND_FACTOR = ['user_id', 'is_enabled', 'deleted_at', 'secret', 'failed_attempts', 'locked_until']
const PASSKEY = words(
  'user_id deleted_at credential_id public_key attestation_type aaguid aa_guid sign_count clone_warning',
  'user_present user_verified backup_eligible backup_state transports attachment',
)
const BY_PASSWORD_ALONE =
  'sign in with a second factor there, and by their password alone here until they set one up again'
const NO_PASSKEY = 'have passkeys, which are not carried: they sign in by password or a link'

/** Names the users whose accounts are less protected here than there. */
export async function noteSecondFactors(
  source: SourceReader,
  accounts: readonly PlannedAccount[],
  notes: ImportNotes,
): Promise<void> {
  const ids = new Set(accounts.map(({ id }) => id))
  for await (const row of source.rows('two_fas', SECOND_FACTOR)) {
    const user = textIn(row, 'user_id')
    if (ids.has(user) && row['deleted_at'] == null && isTrueIn(row, 'is_enabled'))
      notes.note('users', user, BY_PASSWORD_ALONE)
  }
  for await (const row of source.rows('passkey_credentials', PASSKEY)) {
    const user = textIn(row, 'user_id')
    if (ids.has(user) && row['deleted_at'] == null) notes.note('users', user, NO_PASSKEY)
  }
}
