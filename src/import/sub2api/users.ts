import { isBroughtHash } from '../../access/password.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import type { ImportNotes, PlannedAccount, ImportSettings } from '../import-plan.ts'
import { isSetColumn } from '../left-behind.ts'
import { ONE_THRESHOLD, isSameIssuer, OTHER_ISSUER } from '../user-notes.ts'
import { decimalIn, integerIn, isTrueIn, momentIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import { plannedRows } from '../planned-rows.ts'
import type { Sub2apiGroups } from './groups.ts'
import { usdIn } from './money.ts'

const THRESHOLDS = ['balance_notify_threshold', 'balance_notify_threshold_type']
const COLUMNS = words(
  'email username password_hash role status balance frozen_balance concurrency rpm_limit',
  'balance_notify_enabled',
  ...THRESHOLDS,
  'deleted_at created_at',
)
const LONGEST_NAME = 100

export async function planUsers(
  source: SourceReader,
  about: { groups: Sub2apiGroups; settings: ImportSettings; notes: ImportNotes },
): Promise<readonly PlannedAccount[]> {
  const subjects = await oidcSubjects(source, about)
  await notePlatformQuotas(source, about.notes)
  return plannedRows(source, { table: 'users', columns: COLUMNS, notes: about.notes }, (row) =>
    row['deleted_at'] == null
      ? accountOf(row, { ...about, subjects })
      : 'deleted there: neither they nor their keys are imported',
  )
}

function accountOf(
  row: Row,
  about: { groups: Sub2apiGroups; settings: ImportSettings; notes: ImportNotes; subjects: ReadonlyMap<string, string> },
): PlannedAccount {
  const { groups, settings, notes, subjects } = about
  const id = textIn(row, 'id')
  const hash = textIn(row, 'password_hash')
  if (usdIn(row, 'frozen_balance') !== ZERO_NANO_USD)
    notes.note('users', id, 'have a frozen balance, which is not carried')
  for (const column of thresholdsSet(row))
    notes.note('users', id, `have ${column}, which is not carried${ONE_THRESHOLD}`)
  const balance = usdIn(row, 'balance')
  const isZeroed = balance < 0n && settings.negative === 'zero'
  if (balance < 0n && settings.negative !== null)
    notes.note('users', id, isZeroed ? 'owe something there, and begin with 0 here' : 'owe something, and do so here')
  return {
    id,
    email: textIn(row, 'email').trim(),
    name: textIn(row, 'username').slice(0, LONGEST_NAME),
    passwordHash: isBroughtHash(hash) ? hash : null,
    role: settings.admins !== 'none' && textIn(row, 'role') === 'admin' ? 'admin' : 'user',
    isActive: textIn(row, 'status') === 'active',
    balance: isZeroed ? ZERO_NANO_USD : balance,
    stated: `$${textIn(row, 'balance')}`,
    madeOf: textIn(row, 'email').trim().toLowerCase(),
    openGroups: groups.openTo(id),
    limits: { concurrency: aboveZero(row, 'concurrency'), requestsPerMinute: aboveZero(row, 'rpm_limit') },
    createdAt: momentIn(row, 'created_at'),
    oidcSubject: subjects.get(id) ?? null,
    wantsMail: row['balance_notify_enabled'] == null ? null : isTrueIn(row, 'balance_notify_enabled'),
  }
}

/** `fixed` is what the kind of a threshold is unless an admin chose another. */
function thresholdsSet(row: Row): readonly string[] {
  return THRESHOLDS.filter((column) => isSetColumn(row, column) && textIn(row, column) !== 'fixed')
}

/** 0 stands for no limit there. */
function aboveZero(row: Row, column: string): number | null {
  const number = integerIn(row, column)
  return number === null || number <= 0n ? null : Number(number)
}

/** Names of users at the OIDC provider of this installation. */
async function oidcSubjects(
  source: SourceReader,
  { settings, notes }: { settings: ImportSettings; notes: ImportNotes },
): Promise<ReadonlyMap<string, string>> {
  const subjects = new Map<string, string>()
  for await (const row of source.rows('auth_identities', ['user_id', 'provider_type', 'issuer', 'provider_subject'])) {
    const type = textIn(row, 'provider_type')
    const subject = textIn(row, 'provider_subject')
    if (type === 'email') continue
    if (type === 'oidc' && subject !== '' && isSameIssuer(textIn(row, 'issuer'), settings.oidcIssuer)) {
      subjects.set(textIn(row, 'user_id'), subject)
    } else {
      const why =
        type === 'oidc' ? OTHER_ISSUER : `sign-in by ${type} is not carried: they sign in by password or a link`
      notes.note('auth_identities', textIn(row, 'id'), why)
    }
  }
  return subjects
}

const LIMITS = ['daily_limit_usd', 'weekly_limit_usd', 'monthly_limit_usd']

/** Limits of an account are of all its models here. Where 0 leaves a limit out in other columns of the source, it blocks in these. */
async function notePlatformQuotas(source: SourceReader, notes: ImportNotes): Promise<void> {
  for await (const row of source.rows('user_platform_quotas', ['user_id', 'platform', 'deleted_at', ...LIMITS])) {
    const limits = LIMITS.flatMap((column) => decimalIn(row, column) ?? [])
    if (row['deleted_at'] != null || limits.length === 0) continue
    const user = `users whose ids are ${textIn(row, 'user_id')}`
    const isBlocked = limits.some(({ over }) => over === 0n)
    notes.note(
      'user_platform_quotas',
      textIn(row, 'id'),
      isBlocked
        ? `block ${user} on ${textIn(row, 'platform')}, which nothing does here: close its groups to them, or limit their keys`
        : `limit ${user} on ${textIn(row, 'platform')}, and limits here are of all models: not carried`,
    )
  }
}
