import type { ImportNotes } from '../import-notes.ts'
import type { PlannedAccount } from '../import-plan.ts'
import { isTrueIn, type SourceReader, textIn } from '../source.ts'

/** Columns of which only who and whether is looked at; the others are of no use without each other. */
const SECOND_FACTOR = ['user_id', 'is_enabled', 'deleted_at', 'secret', 'failed_attempts', 'locked_until']
const PASSKEY = [
  'user_id',
  'deleted_at',
  'credential_id',
  'public_key',
  'attestation_type',
  'aaguid',
  'aa_guid',
  'sign_count',
  'clone_warning',
  'user_present',
  'user_verified',
  'backup_eligible',
  'backup_state',
  'transports',
  'attachment',
]
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
